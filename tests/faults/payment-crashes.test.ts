import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FAILPOINTS } from '#server/platform/failpoints.ts'
import { type FakeName, openCrashes } from '#tests/support/faults/crashes.ts'
import { startPostgres } from '#tests/support/processes/postgres.ts'

/** For each pair of database and payment provider: twenty rounds in all at each point. */
const ROUNDS_AT_A_POINT = 5

async function onPostgres(fake: FakeName) {
  const given = inject('postgresUrl')
  if (given) return openCrashes(given, fake)
  const cluster = await startPostgres({ fsync: true })
  afterAll(cluster.stop)
  return openCrashes(cluster.url, fake)
}
const embedded = (fake: FakeName) => openCrashes(undefined, fake)

describe.each([
  ['an embedded database and Flutterwave', 'flutterwave', 25, embedded],
  ['an embedded database and Stripe', 'stripe', 25, embedded],
  ['PostgreSQL and Flutterwave', 'flutterwave', 10, onPostgres],
  ['PostgreSQL and Stripe', 'stripe', 10, onPostgres],
] as const)('with %s', (_, fake, rounds, start) => {
  let crashes: Awaited<ReturnType<typeof openCrashes>>
  beforeAll(async () => {
    crashes = await start(fake)
  })
  afterAll(async () => {
    const { orders, charges } = crashes.known
    const refunded = charges.filter(({ isKept }) => !isKept)
    console.log(`${orders.length} orders acknowledged, ${charges.length} charged, ${refunded.length} of them refunded`)
    await crashes.close()
  })

  test(`a shop that is killed ${rounds} times at any moment loses and doubles nothing`, async () => {
    for (let seed = 0; seed < rounds; seed += 1) await crashes.round(undefined, seed)
    expect(crashes.known.orders.length).toBeGreaterThan(rounds)
  })

  test.each(FAILPOINTS.filter(point => !point.startsWith('return:')))(
    `nor one that is killed ${ROUNDS_AT_A_POINT} times at %s`,
    async point => {
      const before = crashes.known.orders.length
      for (let round = 0; round < ROUNDS_AT_A_POINT; round += 1) await crashes.round(point, round)
      expect(crashes.known.orders.length).toBeGreaterThanOrEqual(before + ROUNDS_AT_A_POINT)
    },
  )
})
