import * as z from 'zod/mini'
import { getCategories, queryProducts } from '#contract/catalogue.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { productPath } from '#contract/page-urls.ts'
import { PRODUCTS_PER_PAGE } from '#contract/rules.ts'

type Fetch = (request: Request) => Response | Promise<Response>

const FIRST = ['/', '/products', '/stores', '/login']
const PRODUCTS = 240

/** The paths that shoppers request first: common pages, each category, and the best-selling products. */
export async function* pathsToWarm(fetch: Fetch, policies: { id: string }[]): AsyncGenerator<string> {
  yield* FIRST
  for (const { id } of policies) yield `/${id}`
  const { categories } = await fetchCall(fetch, getCategories, '')
  for (const { name } of categories) yield `/products?${new URLSearchParams({ category: name })}`
  for (let page = 1; page <= PRODUCTS / PRODUCTS_PER_PAGE; page += 1) {
    const { products } = await fetchCall(fetch, queryProducts, `?pageNumber=${page}`)
    if (products.length === 0) return
    for (const { slug } of products) yield productPath({ slug })
  }
}

async function fetchCall<Call extends Endpoint>(
  fetch: Fetch,
  call: Call,
  query: string,
): Promise<z.output<Call['output']>> {
  const response = await fetch(new Request(`http://provider/api${call.path}${query}`))
  if (!response.ok) throw new Error(`${call.path} responded with ${response.status}`)
  return z.decode(call.output, (await response.json()) as never) as z.output<Call['output']>
}
