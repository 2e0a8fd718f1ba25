import * as z from 'zod/mini'
import { endpoint, NoInput, renamed } from './endpoint.ts'
import { MAX_PAGE_NUMBER } from './rules.ts'
import { queryInteger } from './wire.ts'

const SITEMAP_KINDS = ['products', 'stores'] as const

/** How many URLs of each kind the sitemap has. */
export const getSitemapTotals = endpoint({
  method: 'GET',
  path: '/home/sitemap',
  input: NoInput,
  output: z.object({ products: z.int(), stores: z.int() }),
})

/** One page of sitemap entries, in an order that new entries do not shift. `updatedAt` is ISO 8601. */
export const getSitemapPage = endpoint({
  method: 'GET',
  path: '/home/sitemap/:kind',
  input: renamed(
    {
      kind: z.enum(SITEMAP_KINDS, `kind must be one of ${SITEMAP_KINDS.join(', ')}`),
      pageNo: queryInteger('pageNo', 1, MAX_PAGE_NUMBER),
    },
    { pageNo: 'page' },
  ),
  output: z.object({
    entries: z.array(z.object({ _id: z.string(), slug: z.string(), updatedAt: z.optional(z.string()) })),
  }),
})
