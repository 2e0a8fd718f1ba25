import { afterAll, describe, expect, test } from 'vitest'
import { addProduct, addReview, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, request, close } = await startProvider({ limits: 'api=1000000/1m' })
afterAll(close)

const LONG = 'x'.repeat(10_000)
const seller = await addSeller(db, { hasAi: true })
const train = await addProduct(db, { sellerId: seller.id, slug: 'train', category: 'Trains' })
await addReview(db, train.id)

async function ask(path: string) {
  const answer = await request(`/api${path}`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('malformed input is rejected with 400 and a clear message', () => {
  test.each([
    [
      'query-products',
      'pageNumber',
      ['0', '-1', '1.5', '1e3', 'abc', '1000000001', '99999999999999999999', 'NaN', '١'],
    ],
    ['query-products', 'rating', ['0', '6', '4.5', '-1', 'five', 'true', 'null']],
    ['query-products', 'discount', ['0', '101', '12.5', '-1', 'half']],
    ['query-products', 'inStock', ['yes', '1', 'TRUE']],
    ['query-products', 'shipsTo', [LONG, 'Kenya\0']],
    ['count-products', 'rating', ['0', '6']],
    ['query-products', 'lowPrice', ['-1', '-0.01', 'abc', '1e5', 'Infinity', '1000000001', '1,5', '0x10', '$5']],
    ['query-products', 'highPrice', ['-1', 'NaN', '٣']],
    ['query-products', 'sortPrice', ['price', 'asc', 'low-to-high;drop', 'LOW-TO-HIGH', '__proto__', 'toString']],
    ['query-products', 'searchValue', [LONG, 'a\0b', '\uD800'.toWellFormed() + '\0']],
    ['suggestions', 'value', [LONG, 'a\0b']],
    ['suggestions', 'category', [LONG, 'Trains\0']],
    ['query-products', 'category', [LONG, 'Trains\0']],
    ['sellers', 'verified', ['yes', '1', 'TRUE', '[]']],
    ['sellers', 'featured', ['no', '0']],
    ['sellers', 'page', ['0', '-5', 'x']],
    ['sellers', 'parPage', ['0', '51', '1.5', '999999999999']],
    ['get-products-by-seller', 'sellerId', [LONG, 'a\0b']],
    ['get-products-by-seller', 'sortPrice', ['price', 'NEWEST', '__proto__']],
    ['get-products-by-seller', 'searchValue', [LONG, 'a\0b']],
    ['get-products-by-seller', 'page', ['0', '-1', '1.5', '1000000001']],
    [`customer/get-reviews/${train.id}`, 'pageNo', ['0', '-1', 'x', '1000000001']],
  ])('in %s: the parameter %s', async (path, name, values) => {
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
  ])('in a path: an id that is too long or has a null character (%#)', async path => {
    const { status, body } = await ask(`/home/${path}`)

    expect(status).toBe(400)
    expect(body.fields).toBeTypeOf('object')
  })

  test.each([
    'query-products?category=Trains&category=Toys',
    'query-products?searchValue=a&searchValue=a',
    'query-products?pageNumber=1&pageNumber=2',
    'suggestions?value=a&value=a',
    'sellers?page=1&page=1',
    'get-products-by-seller?sellerId=a&sellerId=b',
  ])('when the same parameter is sent twice: %s', async path => {
    const { status, body } = await ask(`/home/${path}`)

    expect(status).toBe(400)
    expect(body.error).toContain('must be a single text')
  })

  test.each([
    ['customer/customer-register', 'Name is required'],
    ['customer/customer-login', 'Email and password are required!'],
    ['forgot-password', 'Please enter your email address'],
    ['reset-password', 'Invalid or missing reset token'],
  ])('in a form: missing fields give the same message as empty ones: %s', async (path, error) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await request(`/api/${path}`, { method: 'POST', headers, body: '{}' })

    expect([answer.status, await answer.json()]).toMatchObject([400, { error }])
  })

  test('in a store’s listing: a missing sellerId', async () => {
    const { status, body } = await ask('/home/get-products-by-seller')

    expect(status).toBe(400)
    expect(body.error).toContain('sellerId')
  })

  test('in a search: a text of 10,000 characters', async () => {
    const { status } = await ask(`/home/query-products?searchValue=${LONG}`)

    expect(status).toBe(400)
  })
})

describe('unusual input that is not an error', () => {
  test('an empty parameter counts as not given', async () => {
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
    'the unknown category %s returns an empty list',
    async category => {
      expect(await ask(`/home/query-products?category=${category}`)).toEqual({
        status: 200,
        body: {
          products: [],
          totalProduct: 0,
          parPage: 12,
          filters: [],
          isPartial: false,
          isUnrelated: false,
          facets: expect.anything() as unknown,
        },
      })
    },
  )

  test('malformed percent encoding never causes a server error', async () => {
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
