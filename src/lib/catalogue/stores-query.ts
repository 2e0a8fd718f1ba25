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

/** Parses the query of the stores page or of one store's page. `isClean` is false if any parameter is invalid. */
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

/** The URL of a list. Default values are left out. */
export function storesAddress(path: string, { sort, layout, page }: StoresQuery): string {
  const query = new URLSearchParams()
  if (sort !== 'all') query.set('sort', sort)
  if (layout !== 'grid') query.set('layout', layout)
  if (page !== 1) query.set('pageNumber', String(page))
  return query.size > 0 ? `${path}?${query}` : path
}
