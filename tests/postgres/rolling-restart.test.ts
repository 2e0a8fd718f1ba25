import { afterAll, expect, inject, test } from 'vitest'
import { startRollingShop } from '#tests/support/faults/rolling-shop.ts'

const CUSTOMERS = 4
const shop = await startRollingShop(inject('postgresUrl')!)
const { processes, failures, orderIds } = shop
afterAll(shop.close)

/** Waits until the customers have placed some more orders. */
async function someOrders(): Promise<void> {
  const before = orderIds.size
  await expect.poll(() => orderIds.size).toBeGreaterThan(before + CUSTOMERS)
}

test('no request fails while a process behind nginx is restarted', { timeout: 300_000 }, async () => {
  await shop.whileShopping(CUSTOMERS, async () => {
    await someOrders()
    expect(await processes[0]!.terminate()).toBe(0)
    await someOrders()
    processes[0] = await shop.start(0)
    await someOrders()
  })

  expect(failures).toEqual([])
  await shop.examine()
})

test(
  'nothing acknowledged is lost when a process is killed, and pages are still served',
  { timeout: 300_000 },
  async () => {
    await shop.whileShopping(CUSTOMERS, async () => {
      await someOrders()
      await processes[1]!.kill()
      await someOrders()
    })

    expect(failures.filter(({ method }) => method === 'GET')).toEqual([])
    await shop.examine()
  },
)
