import { sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { cartLinesOf } from '#contract/cart-sums.ts'
import { sellerOrders } from '#server/db/schema.ts'
import { settle } from '#server/payments/settling.ts'
import { addProduct, stockOf } from '#tests/support/catalogue/catalogue.ts'
import { holdOpen, untilWaiting } from '#tests/support/faults/lock-waits.ts'
import { rounds } from '#tests/support/rounds.ts'
import { patiently } from '#tests/support/provider/crowd.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { database, db, jobs, customer, close } = await startProvider({
  limits: 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m',
})
afterAll(close)
const initialStock = new Map<string, number>()
afterEach(() => assertInvariants(db, { initialStock }))

const ROUNDS = rounds(10, 100)

const linesIn = async ({ api, id }: Customer) => cartLinesOf(await api.getCart({ userId: id }))
const savedBy = async ({ api, id }: Customer) => (await api.getSavedLines({ userId: id })).lines
const unitsOf = (lines: { quantity: number }[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0)
const times = <T>(count: number, call: () => Promise<T>) => Array.from({ length: count }, call)
const doneIn = (answers: PromiseSettledResult<unknown>[]) =>
  answers.filter(({ status }) => status === 'fulfilled').length

/** Orders two trains and a lamp. */
async function placed() {
  const ada = await customer()
  const [train, lamp] = [await addShippable(db, { stock: 9 }), await addShippable(db, { stock: 9 })]
  for (const { variantId } of [train, lamp]) initialStock.set(variantId, 9)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: train, quantity: 2 }, lamp]))
  const read = async () => (await ada.api.getOrder({ orderId })).order
  return { ada, train, lamp, orderId, read }
}

describe('putting an order back into the cart', () => {
  test('in several tabs at once does it once, beside additions to the same lines', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { ada, train, lamp, orderId } = await placed()
      const add = () => patiently(() => ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 }))
      const putBack = () => patiently(() => ada.api.putBackOrder({ orderId }))

      await Promise.all([...times(4, putBack), ...times(3, add)])

      const lines = await linesIn(ada)
      expect(lines.find(({ product }) => product._id === train.id)).toMatchObject({ quantity: 5 })
      expect(lines.find(({ product }) => product._id === lamp.id)).toMatchObject({ quantity: 1 })
      expect([await stockOf(db, train), await stockOf(db, lamp)]).toEqual([9, 9])
    }
  })

  test('at the moment of its payment, its cancelling or another order ends as one of them', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { ada, train, orderId, read } = await placed()
      const attempt = await addAttempt(db, await read())

      await Promise.allSettled([
        ada.api.putBackOrder({ orderId }),
        settle(db, jobs, attempt.id, reportOf(attempt)),
        round % 2 === 0 && ada.api.cancelOrder({ orderId }),
        ada.api.placeOrder(orderOf(ada.id, [train])),
      ])

      const { paymentStatus, timeline } = await read()
      const isCancelled = timeline.some(({ text }) => text === 'Cancelled by you')
      const units = unitsOf(await linesIn(ada))
      const wasPutBack = round % 2 === 1 || units > 0
      expect({ units, isPaid: paymentStatus === 'paid' }).toEqual({
        units: isCancelled && wasPutBack ? 3 : 0,
        isPaid: !isCancelled,
      })
    }
  })
})

describe('saving for later', () => {
  test('neither loses nor doubles units when several tabs move the same lines', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ada = await customer()
      const train = await addProduct(db, { stock: 9 })
      await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 4 })
      const [line] = await linesIn(ada)

      const saving = times(4, () => ada.api.saveForLater({ lineId: line!._id }))
      expect(doneIn(await Promise.allSettled(saving))).toBe(1)
      const [saved] = await savedBy(ada)
      expect(saved).toMatchObject({ quantity: 4 })

      const add = () => ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 })
      const moving = times(4, () => ada.api.moveToCart({ savedId: saved!._id }))
      const [answers] = await Promise.all([Promise.allSettled(moving), add()])
      expect(doneIn(answers)).toBe(1)
      expect([unitsOf(await linesIn(ada)), unitsOf(await savedBy(ada))]).toEqual([5, 0])
    }
  })
})

describe('one more of a product in the cart', () => {
  test('clicked while the cart is being ordered is said not to be in the cart, not lost', async () => {
    const ada = await customer()
    const train = await addShippable(db, { stock: 9 })
    initialStock.set(train.variantId, 9)
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 2 })
    const [line] = await linesIn(ada)
    const lineId = line!._id

    let answers = Promise.allSettled<Promise<unknown>[]>([])
    await holdOpen(database, async tx => {
      // The order has read the cart when it waits for this.
      await tx.execute(sql`lock table ${sellerOrders} in share mode`)
      const order = ada.api.placeOrder(orderOf(ada.id, [{ product: train, quantity: 2, lineId }]))
      await untilWaiting(db, 1)
      const more = ada.api.increaseQuantity({ lineId })
      answers = Promise.allSettled([order, more])
      await Promise.race([Promise.allSettled([more]), untilWaiting(db, 2)])
    })
    const [order, more] = await answers

    expect(order).toMatchObject({ status: 'fulfilled' })
    expect(more).toMatchObject({ status: 'rejected', reason: { status: 404 } })
    expect(await linesIn(ada)).toEqual([])
  })

  test('clicked in several tabs at once never puts more into the cart than there are', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ada = await customer()
      const train = await addProduct(db, { stock: 5 })
      await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 2 })
      const [line] = await linesIn(ada)

      const more = times(6, () => ada.api.increaseQuantity({ lineId: line!._id }))
      const add = times(2, () => ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 }))
      const done = doneIn(await Promise.allSettled([...more, ...add]))

      expect({ done, units: unitsOf(await linesIn(ada)) }).toEqual({ done: 3, units: 5 })
    }
  })
})
