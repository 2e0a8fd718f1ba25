import { expect, test } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { cacheResponses } from '#server/page-cache/response-cache.ts'

const CATEGORIES = `http://shop/api${getCategories.path}`

function counting(answer: (count: number) => Response) {
  let count = 0
  return cacheResponses(() => answer((count += 1)))
}

const numbered = (count: number) => new Response(null, { headers: { 'x-count': String(count) } })

async function countOf(response: Response | Promise<Response>): Promise<string | null> {
  return (await response).headers.get('x-count')
}

test('a response that every page needs is requested once until a purge', async () => {
  const { fetch, purge } = counting(numbered)

  expect(await countOf(fetch(new Request(CATEGORIES)))).toBe('1')
  expect(await countOf(fetch(new Request(CATEGORIES)))).toBe('1')
  purge()
  expect(await countOf(fetch(new Request(CATEGORIES)))).toBe('2')
})

test('a response requested before a purge is not used after it', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const answers = [promise, Promise.resolve(numbered(2))]
  const { fetch, purge } = cacheResponses(() => answers.shift() ?? Response.error())

  const before = fetch(new Request(CATEGORIES))
  purge()
  const after = fetch(new Request(CATEGORIES))
  resolve(numbered(1))

  expect(await countOf(before)).toBe('1')
  expect(await countOf(after)).toBe('2')
  expect(await countOf(fetch(new Request(CATEGORIES)))).toBe('2')
})

test('a failed response is not cached', async () => {
  const { fetch } = counting(count => (count === 1 ? new Response(null, { status: 503 }) : numbered(count)))

  expect((await fetch(new Request(CATEGORIES))).status).toBe(503)
  expect(await countOf(fetch(new Request(CATEGORIES)))).toBe('2')
})

test('a request that fails after a purge does not remove the newer response', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const answers = [promise, Promise.resolve(numbered(2))]
  const { fetch, purge } = cacheResponses(() => answers.shift() ?? Response.error())
  const before = fetch(new Request(CATEGORIES))
  purge()
  await fetch(new Request(CATEGORIES))

  resolve(new Response(null, { status: 503 }))
  await before
  await new Promise(done => setImmediate(done))

  expect(await countOf(fetch(new Request(CATEGORIES)))).toBe('2')
})

test.each(['http://shop/api/home/get-product/cup', `${CATEGORIES}?x=1`])('%s is not cached', async url => {
  const { fetch } = counting(numbered)

  await fetch(new Request(url))
  expect(await countOf(fetch(new Request(url)))).toBe('2')
})
