import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { returns, users } from '#server/db/schema.ts'
import { eraseDueAccounts } from '#server/orders/erasing.ts'
import { moveDueReturns } from '#server/returns/due.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startReturningShop } from '#tests/support/provider/returning-shop.ts'

const shop = await startReturningShop()
const { db, jobs, sessions, paid, check, close } = shop
const market = operatorOf(shop)
afterEach(check)
afterAll(close)

const PAST = new Date(Date.now() - 1000)
const eraseDue = () => eraseDueAccounts({ db, sessions, jobs })

/** A customer whose account is to be erased now, and who has sent a bowl back. */
async function leaving() {
  const order = await paid()
  const { ada, deliver, ask, latest } = order
  await deliver()
  await ask('Bowl', 1, 'return')
  const { id: returnId } = await latest()
  await market('return', 'approve', returnId)
  await ada.api.sendReturnBack({ returnId, tracking: 'DHL-123' })
  const { message } = await ada.api.deleteAccount({ password: ada.password })
  await db.update(users).set({ eraseAt: PAST }).where(eq(users.id, ada.id))
  const read = async () => (await db.select().from(returns).where(eq(returns.id, returnId)))[0]!
  return { ...order, returnId, message, read }
}

test('an account is erased only after the goods that it has sent back are refunded', async () => {
  const { ada, returnId, message, read } = await leaving()

  expect(message).toMatch(/, once your orders have arrived and your returns are complete$/)
  expect(await market('customer', 'erase', ada.email, '--yes')).toMatchObject({
    code: 1,
    err: `${ada.email} has returns under way: decline, receive or decide them first, or wait until they lapse\n`,
  })
  expect(await eraseDue()).toBe(0)
  expect(await read()).toMatchObject({ words: 'Please', tracking: 'DHL-123' })

  await market('return', 'received', returnId)
  expect(await eraseDue()).toBe(1)
  expect(await read()).toMatchObject({ words: '', tracking: '' })
})

test('if the shop does not answer a return before the day, the operator decides', async () => {
  const { ada, deliver, ask, latest } = await paid()
  await deliver()
  await ask('Bowl', 1, 'return')
  const { id: returnId } = await latest()
  await ada.api.deleteAccount({ password: ada.password })
  await db.update(users).set({ eraseAt: PAST }).where(eq(users.id, ada.id))
  await db.update(returns).set({ dueAt: PAST }).where(eq(returns.id, returnId))
  const status = async () => (await db.select().from(returns).where(eq(returns.id, returnId)))[0]!.status

  await moveDueReturns(db, jobs)
  expect(await status()).toBe('unanswered')
  expect(await eraseDue()).toBe(0)
  await moveDueReturns(db, jobs)
  expect(await status()).toBe('escalated')
  expect(await eraseDue()).toBe(0)

  await market('return', 'decide', returnId, 'refund')
  expect(await eraseDue()).toBe(1)
})

test('if the shop does not confirm their arrival, the operator decides', async () => {
  const { returnId, read } = await leaving()
  await db.update(returns).set({ dueAt: PAST }).where(eq(returns.id, returnId))

  await moveDueReturns(db, jobs)
  expect(await read()).toMatchObject({ status: 'unconfirmed' })
  await moveDueReturns(db, jobs)
  expect(await read()).toMatchObject({ status: 'escalated' })
  expect(await eraseDue()).toBe(0)

  await market('return', 'decide', returnId, 'refund')
  expect(await eraseDue()).toBe(1)
})
