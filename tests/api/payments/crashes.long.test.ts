import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Failpoint, FAILPOINTS } from '#server/platform/failpoints.ts'
import { openCrashes } from '#tests/support/faults/crashes.ts'

const cluster = inject('postgresUrl') ?? undefined
/**
 * The moments at which the payment provider knows more than the shop. tests/faults has all moments
 * on both databases.
 */
const isOneSided = (point: Failpoint) => /:(responded|uncommitted)$/.test(point)
const isOnPostgres = (point: Failpoint) => /^(refund|readCharge):/.test(point)
const points = FAILPOINTS.filter(
  point => !point.startsWith('return:') && isOneSided(point) && isOnPostgres(point) === Boolean(cluster),
)
let crashes: Awaited<ReturnType<typeof openCrashes>>
// Stripe learns of each attempt before it is paid, Flutterwave only of refunds.
beforeAll(async () => {
  crashes = await openCrashes(cluster, cluster ? 'flutterwave' : 'stripe')
})
afterAll(() => crashes.close())

describe('a process that is killed', () => {
  test.each(points)(
    'at %s loses no order and no payment, and refunds only once',
    async point => {
      const before = crashes.known.orders.length

      await crashes.round(point, Date.now())

      expect(crashes.known.orders.length).toBeGreaterThan(before)
    },
    120_000,
  )

  test('at a random moment loses no order and no payment', { timeout: 120_000 }, async () => {
    await crashes.round(undefined, Date.now())
    expect(crashes.known.charges.length).toBeGreaterThan(0)
  })
})
