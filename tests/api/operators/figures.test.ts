import { afterAll, expect, test } from 'vitest'
import { countFigures } from '#server/operators/metrics/figures.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, close } = await startProvider()
afterAll(close)

test('the figures of the shop are its orders by status, the units that they hold, and its jobs by state', async () => {
  const jar = await addShippable(db, { stock: 10 })
  const { api, id } = await customer()
  await api.placeOrder(orderOf(id, [{ product: jar, quantity: 3 }]))
  await jobs.transact(db, (_, sendJob) => sendJob('refund', { attemptId: 'no such attempt' }, 3600))

  const { orders, heldUnits, jobs: waiting } = await countFigures(db)

  expect(orders).toEqual([{ labels: { status: 'pending' }, count: 1 }])
  expect(heldUnits).toBe(3)
  expect(waiting).toContainEqual({ labels: { job: 'refund', state: 'waiting' }, count: 1 })
})
