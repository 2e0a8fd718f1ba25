import { afterAll, describe, expect, test } from 'vitest'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { INJECTED_TEXTS } from '#tests/support/faults/injected-texts.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const { db, request, close } = await startProvider({ limits: 'api=1000000/1m,search=1000000/1m' })
afterAll(close)

const shop = await addSeller(db, { shopName: 'Ozymandias' })
// No text below resembles these words.
for (const name of ['Zwieback', 'Quokka']) {
  await addProduct(db, { sellerId: shop.id, shopName: 'Ozymandias', brand: 'Jjj', slug: name, name, category: 'Vvv' })
}

/** Test every n-th text here; `test:faults` tests all. */
const EVERY = rounds(7, 1)
const texts = INJECTED_TEXTS.filter((_, at) => at % EVERY === 0)

async function ask(path: string) {
  const answer = await request(`/api/home/${path}`)
  const body = (await answer.json()) as { totalProduct?: number; totalProducts?: number; error?: string }
  return { status: answer.status, total: body.totalProduct ?? body.totalProducts ?? 0, error: body.error ?? '' }
}

const PLACES: [name: string, pathOf: (text: string) => string, statuses: number[]][] = [
  ['a search', text => `query-products?searchValue=${text}`, [200, 400]],
  ['a category', text => `query-products?category=${text}`, [200, 400]],
  ['a sort', text => `query-products?category=none&sortPrice=${text}`, [400]],
  ['the address of a product', text => `get-product/${text}`, [400, 404]],
  ['the id of a shop', text => `get-products-by-seller?sellerId=${text}`, [400, 404]],
]

describe('injection attempts', () => {
  test('include more than 500 texts', () => expect(new Set(INJECTED_TEXTS).size).toBeGreaterThan(500))

  test.each(PLACES)('as %s return no products and no database errors', async (_, pathOf, statuses) => {
    const found: string[] = []
    for (const text of texts) {
      const { status, total, error } = await ask(pathOf(encodeURIComponent(text)))
      const isMisread = /\b(syntax|column|relation|operator|invalid input)\b/.test(error)
      if (!statuses.includes(status) || total > 0 || isMisread) found.push(`${text}: ${status} ${total} ${error}`)
    }
    expect(found).toEqual([])
  })

  test('leave all products in place', async () => {
    expect((await ask('query-products')).total).toBe(2)
  })
})
