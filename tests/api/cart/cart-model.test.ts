import * as fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { variants } from '#server/db/schema.ts'
import { addProduct, addShoe } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const RUNS = 25
const STEPS = 14
/** Two sizes of a shoe, and a plain product. */
const GOODS = 3
const SIZES = 2
const PRICES = [100, 1999, 12_345]

type Step =
  | { kind: 'add'; at: number; quantity: number }
  | { kind: 'increase' | 'decrease' | 'remove' | 'restore'; at: number }
  | { kind: 'stock'; at: number; stock: number }
  | { kind: 'change'; at: number }

const at = fc.nat(GOODS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at, quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constantFrom('increase', 'decrease', 'remove', 'restore'), at }),
  fc.record({ kind: fc.constant('stock' as const), at, stock: fc.integer({ min: 0, max: 8 }) }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(SIZES - 1) }),
)

/** A minimal model of a cart: the quantity and the stock of each variant. */
class Model {
  stock = Array.from({ length: GOODS }, () => 5)
  quantity = Array.from({ length: GOODS }, () => 0)
  removed = Array.from({ length: GOODS }, () => 0)

  /** Applies the step. Returns false, and changes nothing, when the shop must reject it. */
  apply(step: Step): boolean {
    if (step.kind === 'stock') this.stock[step.at] = step.stock
    if (step.kind === 'change') return this.change(step.at)
    const next = this.next(step)
    if (next === null) return false
    if (step.kind === 'remove') this.removed[step.at] = this.quantity[step.at]!
    else if (step.kind === 'add' || step.kind === 'restore') this.removed[step.at] = 0
    this.quantity[step.at] = next
    return true
  }

  /** Changes the line's size to the other one. */
  private change(at: number): boolean {
    const other = otherSize(at)
    const total = this.quantity[at]! + this.quantity[other]!
    if (this.quantity[at] === 0 || total > this.stock[other]!) return false
    this.quantity[other] = total
    this.quantity[at] = 0
    this.removed[other] = 0
    return true
  }

  /** The quantity in the cart after the step; null when the shop must reject the step. */
  private next(step: Exclude<Step, { kind: 'change' }>): number | null {
    const now = this.quantity[step.at]!
    const upTo = (quantity: number) => (quantity <= this.stock[step.at]! ? quantity : null)
    if (step.kind === 'stock') return now
    if (step.kind === 'add') return upTo(now + step.quantity)
    if (step.kind === 'restore') return now || this.removed[step.at] || null
    if (now === 0) return null
    if (step.kind === 'increase') return upTo(now + 1)
    if (step.kind === 'decrease') return now > 1 ? now - 1 : null
    return 0
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

const otherSize = (at: number) => SIZES - 1 - at

async function addGoods() {
  const shoe = await addShoe(db, { 42: { priceCents: PRICES[0]! }, 43: { priceCents: PRICES[1]! } })
  const plain = await addProduct(db, { priceCents: PRICES[2]! })
  return [
    ...shoe.variantIds.map(variantId => ({ productId: shoe.id, variantId })),
    { productId: plain.id, variantId: plain.variantId },
  ]
}

test('the cart’s totals match a simple model after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS }), async steps => {
      const model = new Model()
      const { api, id: userId } = await customer()
      const lineIds = new Map<number, string>()
      const goods = await addGoods()

      function act(step: Step): Promise<unknown> {
        const chosen = goods[step.at]!
        const line = { lineId: lineIds.get(step.at) ?? 'nothing' }
        const acts = {
          add: () => api.addToCart({ userId, ...chosen, quantity: 'quantity' in step ? step.quantity : 0 }),
          increase: () => api.increaseQuantity(line),
          decrease: () => api.decreaseQuantity(line),
          remove: () => api.removeCartLine(line),
          restore: () => api.restoreCartLine(line),
          change: () => api.changeCartVariant({ ...line, variantId: goods[otherSize(step.at)]!.variantId }),
        }
        if (step.kind !== 'stock') return acts[step.kind]()
        return db.update(variants).set({ stock: step.stock }).where(eq(variants.id, chosen.variantId))
      }

      for (const step of steps) {
        const isDone = await act(step).then(
          () => true,
          () => false,
        )
        expect(isDone).toBe(model.apply(step))
        if (isDone && step.kind === 'change') lineIds.delete(step.at)
        const { groups, outOfStock, shippingCents, ...sums } = await api.getCart({ userId })
        expect(sums).toEqual(model.sums())
        for (const line of [...groups.flatMap(group => group.products), ...outOfStock])
          lineIds.set(
            goods.findIndex(({ variantId }) => variantId === line.variant?._id),
            line._id,
          )
      }
    }),
    { numRuns: RUNS },
  )
})
