import { afterAll, expect, inject, test } from 'vitest'
import { FAILPOINTS } from '#server/failpoints.ts'
import { openCrashes } from '#tests/support/crashes.ts'

const cluster = inject('postgresUrl') ?? undefined
const crashes = await openCrashes(cluster)
afterAll(crashes.close)

// The embedded database has more to lose: it lives in the process that ends.
const rounds = cluster ? (['before_commit', undefined] as const) : ([...FAILPOINTS, undefined] as const)

test.each(rounds.map(point => [point ?? 'any moment', point] as const))(
  'a process that ends at %s loses no order that it has acknowledged, and charges nobody twice',
  async (_, point) => {
    const before = crashes.known.orders.length

    await crashes.round(point, Date.now())

    expect(crashes.known.orders.length).toBeGreaterThanOrEqual(point ? before + 1 : before)
  },
  60_000,
)
