import type { BrowserContext, Page, Request } from 'playwright/test'
import type { Endpoint } from '#contract/endpoint.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import type { Api } from '#lib/api.ts'
import { createApi } from '#lib/create-api.ts'
import { gate } from '../pages.ts'

type Call = Pick<Endpoint, 'path'>

/** The contract's client over the requests of `page`, as the customer whose token this is. */
export function apiOf(page: Page, token: string): Api {
  return createApi({
    // Playwright resolves paths against the shop of the test.
    origin: 'http://shop.test',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${token}` }
      const { method } = request
      const body = method === 'GET' || method === 'DELETE' ? {} : { data: await request.text() }
      const answer = await page.request.fetch(pathname + search, { method, headers, ...body })
      return new Response(new Uint8Array(await answer.body()), { status: answer.status(), headers: answer.headers() })
    },
  })
}

/** The id of the customer whose token this is. */
export const idOf = (token: string): string => decodeCustomer(token)!.id

/** A call's addresses, for `page.route` and `page.waitForRequest`. */
export const routeOf = ({ path }: Call): string => `**/api${path.replaceAll(/:\w+/g, '*')}*`

/** What `faults` reports when a call is answered with `status`, or when it failed. */
export function faultOf(status: number | 'failed', { path }: Call): RegExp {
  const address = `/api${path.replaceAll(/:\w+/g, '[^/?]+')}`
  return new RegExp(`^${status === 'failed' ? 'failed:' : status} \\S*${address}`)
}

/** Holds the requests to `address`, each of which `note` sees, until `release`. `reached` resolves at the first. */
export async function holdBack(
  target: Page | BrowserContext,
  address: string | RegExp,
  note: (request: Request) => unknown = () => {},
) {
  const { reached, open, wait } = gate()
  await target.route(address, async route => {
    note(route.request())
    await wait()
    await route.continue()
  })
  return { reached, release: open }
}
