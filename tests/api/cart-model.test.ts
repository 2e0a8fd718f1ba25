import * as fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { products } from '#server/db/schema.ts'
import { addProduct } from '#tests/support/catalogue.ts'
import { startProvider } from '#tests/support/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const RUNS = 25
const STEPS = 14
const PRODUCTS = 3
const PRICES = [100, 1999, 12_345]

type Step =
  | { kind: 'add'; at: number; quantity: number }
  | { kind: 'increase' | 'decrease' | 'remove' | 'restore'; at: number }
  | { kind: 'stock'; at: number; stock: number }

const at = fc.nat(PRODUCTS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at, quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constantFrom('increase', 'decrease', 'remove', 'restore'), at }),
  fc.record({ kind: fc.constant('stock' as const), at, stock: fc.integer({ min: 0, max: 8 }) }),
)

/** What a cart is, as simply as it can be said: how much of each product, and how much of each there is. */
class Model {
  stock = Array.from({ length: PRODUCTS }, () => 5)
  quantity = Array.from({ length: PRODUCTS }, () => 0)
  removed = Array.from({ length: PRODUCTS }, () => 0)

  /** Does the step, or nothing and answers false when the shop must refuse it. */
  apply(step: Step): boolean {
    const now = this.quantity[step.at]!
    const stock = this.stock[step.at]!
    switch (step.kind) {
      case 'stock':
        this.stock[step.at] = step.stock
        return true
      case 'add':
        if (now + step.quantity > stock) return false
        this.quantity[step.at] = now + step.quantity
        this.removed[step.at] = 0
        return true
      case 'increase':
        if (now === 0 || now + 1 > stock) return false
        this.quantity[step.at] = now + 1
        return true
      case 'decrease':
        if (now < 2) return false
        this.quantity[step.at] = now - 1
        return true
      case 'remove':
        if (now === 0) return false
        this.removed[step.at] = now
        this.quantity[step.at] = 0
        return true
      case 'restore':
        if (now === 0) this.quantity[step.at] = this.removed[step.at]!
        this.removed[step.at] = 0
        return this.quantity[step.at]! > 0
    }
  }

  sums() {
    const isBuyable = this.quantity.map((quantity, at) => quantity <= this.stock[at]!)
    const sum = (value: (at: number) => number) =>
      this.quantity.reduce((total, quantity, at) => total + quantity * value(at), 0)
    return {
      count: sum(() => 1),
      buyableCount: sum(at => (isBuyable[at] ? 1 : 0)),
      priceCents: sum(at => (isBuyable[at] ? PRICES[at]! : 0)),
    }
  }
}

test('after any sequence of changes the sums are those of a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS }), async steps => {
      const model = new Model()
      const { api, id: userId } = await customer()
      const lineIds = new Map<number, string>()
      const stocked = await Promise.all(PRICES.map(priceCents => addProduct(db, { priceCents, stock: 5 })))

      async function act(step: Step): Promise<unknown> {
        const product = stocked[step.at]!
        const lineId = lineIds.get(step.at) ?? 'nothing'
        switch (step.kind) {
          case 'stock':
            return db.update(products).set({ stock: step.stock }).where(eq(products.id, product.id))
          case 'add':
            return api.addToCart({ userId, productId: product.id, quantity: step.quantity })
          case 'increase':
            return api.increaseQuantity({ lineId })
          case 'decrease':
            return api.decreaseQuantity({ lineId })
          case 'remove':
            return api.removeCartLine({ lineId })
          case 'restore':
            return api.restoreCartLine({ lineId })
        }
      }

      for (const step of steps) {
        const isDone = await act(step).then(
          () => true,
          () => false,
        )
        expect(isDone).toBe(model.apply(step))
        const { groups, outOfStock, ...sums } = await api.getCart({ userId })
        expect(sums).toEqual(model.sums())
        for (const line of [...groups.flatMap(group => group.products), ...outOfStock])
          lineIds.set(
            stocked.findIndex(({ id }) => id === line.product._id),
            line._id,
          )
      }
    }),
    { numRuns: RUNS },
  )
})
