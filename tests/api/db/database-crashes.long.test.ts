import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { getCategories } from '#contract/catalogue.ts'
import { crashEmbedded, crashPostgres } from '#tests/support/faults/database-crashes.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { promised, rounds } from '#tests/support/rounds.ts'
import { startWriters } from '#tests/support/provider/writers.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const RECOVERY_MS = 5000

let crashing: Awaited<ReturnType<typeof crashPostgres>>
beforeAll(async () => {
  crashing = await (inject('postgresUrl') ? crashPostgres() : crashEmbedded())
})

// Silences stderr: audit events that cannot be stored are written there.
const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
afterAll(() => quiet.mockRestore())

test(
  'a crashed database causes only seconds of 503s under load, and no order is lost',
  { timeout: 300_000 },
  async () => {
    const { provider } = crashing
    const changes: (string | null)[] = []
    await provider.database.onChange(tag => void changes.push(tag))
    const writers = await startWriters(provider)
    const { acknowledged, refusals } = writers

    /** Returns how many milliseconds the shop takes no orders after the database is back. */
    async function crash(): Promise<number> {
      const placed = acknowledged.length
      await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(placed + writers.count)
      await crashing.crash()
      const began = performance.now()
      const known = acknowledged.length
      await expect.poll(() => acknowledged.length, promised(RECOVERY_MS)).toBeGreaterThan(known)
      return performance.now() - began
    }

    const recoveries: number[] = []
    try {
      for (let round = 0; round < rounds(1, 5); round += 1) recoveries.push(await crash())
    } finally {
      await writers.stop()
    }
    const times = recoveries.map(Math.round).join(', ')
    console.log(`${acknowledged.length} orders, ${refusals.length} refusals, orders again after ${times} ms`)

    await writers.examine()
    // Listeners are told that they may have missed changes, and jobs go on.
    await vi.waitFor(() => expect(changes).toContain(null), PATIENCE)
    const ada = await provider.customer()
    await ada.api.placeOrder(orderOf(ada.id, [await addShippable(provider.db)]))
    await vi.waitFor(() => expect(provider.letters.map(({ to }) => to)).toContain(ada.email), PATIENCE)
  },
)

test('a full disk stops orders but not reading, and orders work again when there is space', async () => {
  const { provider, fillDisk, freeDisk } = crashing
  const writers = await startWriters(provider)
  const { acknowledged, refusals } = writers
  try {
    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(0)

    await fillDisk()
    await expect.poll(() => refusals.length, PATIENCE).toBeGreaterThan(writers.count)
    expect((await provider.request(`/api${getCategories.path}`)).status).toBe(200)
    const known = acknowledged.length
    await freeDisk()

    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(known + writers.count)
  } finally {
    await writers.stop()
  }
  await writers.examine()
})

test('the shop closes cleanly when its database is gone', async () => {
  await crashing.end()
  await expect(crashing.provider.close()).resolves.toBeUndefined()
})
