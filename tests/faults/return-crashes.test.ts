import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FAILPOINTS } from '#server/platform/failpoints.ts'
import { RETURNING } from '#tests/support/faults/crash-shoppers.ts'
import { openCrashes } from '#tests/support/faults/crashes.ts'
import { startPostgres } from '#tests/support/processes/postgres.ts'

const ROUNDS_AT_A_POINT = 3
/** Nobody refunds by hand here. */
const POINTS = FAILPOINTS.filter(point => !point.startsWith('readCharge:'))

async function startCluster(): Promise<string> {
  const given = inject('postgresUrl')
  if (given) return given
  const { url, stop } = await startPostgres({ fsync: true })
  afterAll(stop)
  return url
}

describe.each([
  ['an embedded database and Stripe', 'stripe', () => Promise.resolve(undefined)],
  ['PostgreSQL and Flutterwave', 'flutterwave', startCluster],
] as const)('with %s, partial refunds are paid once by a shop that is killed', (_, fake, clusterOf) => {
  let crashes: Awaited<ReturnType<typeof openCrashes>>
  beforeAll(async () => {
    crashes = await openCrashes(await clusterOf(), fake, RETURNING)
  })
  afterAll(() => crashes.close())

  test.each(POINTS)(`${ROUNDS_AT_A_POINT} times at %s`, async point => {
    const before = crashes.known.orders.length
    for (let round = 0; round < ROUNDS_AT_A_POINT; round += 1) await crashes.round(point, round)
    expect(crashes.known.orders.length).toBeGreaterThan(before)
  })

  test('10 times at any moment', async () => {
    for (let seed = 0; seed < 10; seed += 1) await crashes.round(undefined, seed)
    expect(crashes.known.parted.flatMap(({ returnIds }) => returnIds).length).toBeGreaterThan(0)
  })
})
