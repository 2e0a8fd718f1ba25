import { queryChoice, queryPage } from '#contract/wire.ts'
import { queryReader } from '../query.ts'

const SORTS = ['verified', 'all'] as const
const LAYOUTS = ['grid', 'list'] as const

export interface StoresQuery {
  sort: (typeof SORTS)[number]
  layout: (typeof LAYOUTS)[number]
  page: number
}

const PARAMETERS = {
  sort: queryChoice('sort', SORTS),
  layout: queryChoice('layout', LAYOUTS),
  pageNumber: queryPage('pageNumber'),
}

/** What the address of a list of stores, or of one store, asks for; `isClean` is false when something in it is wrong. */
export function readStoresQuery(query: URLSearchParams): { asked: StoresQuery; isClean: boolean } {
  const reader = queryReader(query)
  const { read } = reader
  const asked: StoresQuery = {
    sort: read('sort', PARAMETERS.sort) ?? 'all',
    layout: read('layout', PARAMETERS.layout) ?? 'grid',
    page: read('pageNumber', PARAMETERS.pageNumber) ?? 1,
  }
  return { asked, isClean: reader.isClean }
}

/** The address of a list; what is as usual is left out. */
export function storesAddress(path: string, { sort, layout, page }: StoresQuery): string {
  const query = new URLSearchParams()
  if (sort !== 'all') query.set('sort', sort)
  if (layout !== 'grid') query.set('layout', layout)
  if (page !== 1) query.set('pageNumber', String(page))
  return query.size > 0 ? `${path}?${query}` : path
}
