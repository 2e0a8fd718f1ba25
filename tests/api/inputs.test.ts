import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { addProduct, addReview, addSeller } from '#tests/support/catalogue.ts'
import { startProvider } from '#tests/support/provider.ts'

const { db, request, customer, close } = await startProvider({ limits: 'confirm=1000000/1m,api=1000000/1m' })
afterAll(close)

const CASES = 50
const LONG = 'x'.repeat(10_000)
const seller = await addSeller(db, { hasAi: true })
const train = await addProduct(db, { sellerId: seller.id, slug: 'train', category: 'Trains' })
await addReview(db, train.id)

const ada = await customer()

async function ask(path: string, headers: Record<string, string> = {}) {
  const answer = await request(`/api${path}`, { headers })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('malformed input is refused with 400 and a clear text', () => {
  test.each([
    [
      'query-products',
      'pageNumber',
      ['0', '-1', '1.5', '1e3', 'abc', '1000000001', '99999999999999999999', 'NaN', '١'],
    ],
    ['query-products', 'rating', ['0', '6', '4.5', '-1', 'five', 'true', 'null']],
    ['query-products', 'lowPrice', ['-1', '-0.01', 'abc', '1e5', 'Infinity', '1000000001', '1,5', '0x10', '$5']],
    ['query-products', 'highPrice', ['-1', 'NaN', '٣']],
    ['query-products', 'sortPrice', ['price', 'asc', 'low-to-high;drop', 'LOW-TO-HIGH', '__proto__', 'toString']],
    ['query-products', 'searchValue', [LONG, 'a\0b', '\uD800'.toWellFormed() + '\0']],
    ['query-products', 'category', [LONG, 'Trains\0']],
    ['sellers', 'verified', ['yes', '1', 'TRUE', '[]']],
    ['sellers', 'featured', ['no', '0']],
    ['sellers', 'page', ['0', '-5', 'x']],
    ['sellers', 'parPage', ['0', '51', '1.5', '999999999999']],
    ['get-products-by-seller', 'sellerId', [LONG, 'a\0b']],
    [`customer/get-reviews/${train.id}`, 'pageNo', ['0', '-1', 'x', '1000000001']],
  ])('%s: %s', async (path, name, values) => {
    for (const value of values) {
      const query = new URLSearchParams({ sellerId: seller.id, [name]: value })
      const { status, body } = await ask(`/home/${path}?${query}`)

      expect([value.slice(0, 30), status]).toEqual([value.slice(0, 30), 400])
      expect(body.error).toContain(name)
      expect(body.fields).toEqual({ [name]: body.error })
    }
  })

  test.each([
    `get-product/${LONG}`,
    'get-product/a%00b',
    `customer/get-reviews/${LONG}`,
    `store/training-data/${LONG}`,
  ])('an id that cannot be one (%#)', async path => {
    const { status, body } = await ask(`/home/${path}`)

    expect(status).toBe(400)
    expect(body.fields).toBeTypeOf('object')
  })

  test.each([
    'query-products?category=Trains&category=Toys',
    'query-products?searchValue=a&searchValue=a',
    'query-products?pageNumber=1&pageNumber=2',
    'sellers?page=1&page=1',
    'get-products-by-seller?sellerId=a&sellerId=b',
  ])('the same parameter twice: %s', async path => {
    const { status, body } = await ask(`/home/${path}`)

    expect(status).toBe(400)
    expect(body.error).toContain('must be a single text')
  })

  test('a seller that is not named', async () => {
    const { status, body } = await ask('/home/get-products-by-seller')

    expect(status).toBe(400)
    expect(body.error).toContain('sellerId')
  })

  test('a search of 10,000 characters, at once', async () => {
    const began = performance.now()
    const { status } = await ask(`/home/query-products?searchValue=${LONG}`)

    expect(status).toBe(400)
    expect(performance.now() - began).toBeLessThan(1000)
  })
})

describe('odd input that is none of our business', () => {
  test('an empty parameter means that it is not given', async () => {
    const plain = await ask('/home/query-products')
    const empty = '?category=&rating=&lowPrice=&highPrice=&sortPrice=&pageNumber=&searchValue=%20'

    expect(await ask(`/home/query-products${empty}`)).toEqual(plain)
    expect(plain).toMatchObject({ status: 200, body: { totalProduct: 1 } })
    expect((await ask('/home/sellers?verified=&featured=&page=&parPage=')).body.totalSellers).toBe(1)
  })

  test('unknown parameters are ignored', async () => {
    for (const query of [
      'foo=1&bar=2',
      '__proto__=1',
      'constructor=1',
      'category[]=Toys',
      'category[$ne]=Trains',
      '=',
      '&&&',
      '?',
    ]) {
      expect([query, (await ask(`/home/query-products?${query}`)).body.totalProduct]).toEqual([query, 1])
    }
  })

  test.each(['%25', '_', '%27', '%F0%9F%98%80', "Trains' or '1'='1", 'Trains%25', 'Train_', 'trains'])(
    'the category %s is one that nobody knows',
    async category => {
      expect(await ask(`/home/query-products?category=${category}`)).toEqual({
        status: 200,
        body: { products: [], totalProduct: 0, parPage: 12 },
      })
    },
  )

  test('broken percent signs are text or refused, never a failure', async () => {
    for (const path of [
      'query-products?searchValue=%E0%A4%A',
      'query-products?searchValue=%',
      'get-product/%E0%A4%A',
      'get-product/%',
    ]) {
      expect([200, 400, 404]).toContain((await ask(`/home/${path}`)).status)
    }
  })
})

describe('whatever comes in', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.constantFrom(
      '',
      '0',
      '1',
      'true',
      'low-to-high',
      'train',
      'Trains',
      '%',
      '_',
      "'",
      '\0',
      LONG,
      '😀',
      '\u202E',
      '../..',
    ),
  )
  const bearer = { authorization: `Bearer ${ada.token}` }
  const pages = Object.entries(endpoints).filter(([, { method }]) => method === 'GET')

  test.each(pages)('%s answers, and never with a failure of its own', async (_, { path, input, isForCustomers }) => {
    const names = namesOf(input)
    const parameters = fc.array(fc.tuple(fc.constantFrom(...names, 'other', '__proto__'), odd), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(odd, parameters, async (segment, pairs) => {
        const address = path.replace(/:\w+/, encodeURIComponent(segment.toWellFormed()))
        const query = new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]))
        const { status, body } = await ask(`${address}?${query}`, isForCustomers && bearer)

        // Logging out is one of the calls.
        expect(isForCustomers ? [200, 400, 404, 409] : [200, 400, 404]).toContain(status)
        expect(typeof body.error).toBe(status === 200 ? 'undefined' : 'string')
        expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|select |syntax error/i)
      }),
      { numRuns: CASES },
    )
  })
})

/** The wire names of a call's input, from its schema. */
function namesOf(input: object): string[] {
  const { _zod } = input as { _zod: { def: { in?: object; shape?: object } } }
  return _zod.def.in ? namesOf(_zod.def.in) : Object.keys(_zod.def.shape ?? {})
}
