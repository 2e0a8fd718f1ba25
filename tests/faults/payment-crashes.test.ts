import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FAILPOINTS } from '#server/failpoints.ts'
import { openCrashes } from '#tests/support/crashes.ts'
import { startPostgres } from '#tests/support/postgres.ts'

const ROUNDS_AT_A_POINT = 20

async function onPostgres() {
  const given = inject('postgresUrl')
  if (given) return openCrashes(given)
  const cluster = await startPostgres({ fsync: true })
  afterAll(cluster.stop)
  return openCrashes(cluster.url)
}

describe.each([
  ['an embedded database', 50, () => openCrashes(undefined)],
  ['PostgreSQL', 20, onPostgres],
])('with %s', (_, rounds, start) => {
  let crashes: Awaited<ReturnType<typeof openCrashes>>
  beforeAll(async () => {
    crashes = await start()
  })
  afterAll(async () => {
    console.log(`${crashes.known.orders.length} orders acknowledged, ${crashes.known.paid.length} of them as paid`)
    await crashes.close()
  })

  test(`a shop that ends ${rounds} times at any moment loses and doubles nothing`, async () => {
    for (let seed = 0; seed < rounds; seed += 1) await crashes.round(undefined, seed)
    expect(crashes.known.orders.length).toBeGreaterThan(rounds)
  })

  test.each(FAILPOINTS)(`nor one that ends ${ROUNDS_AT_A_POINT} times at %s`, async point => {
    const before = crashes.known.orders.length
    for (let round = 0; round < ROUNDS_AT_A_POINT; round += 1) await crashes.round(point)
    expect(crashes.known.orders.length).toBeGreaterThanOrEqual(before + ROUNDS_AT_A_POINT)
  })
})
