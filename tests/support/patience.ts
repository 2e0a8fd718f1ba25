import { expect, vi } from 'vitest'

/** As in vitest.mutants.config.ts: each mutant that a wait notices would cost the whole wait. */
const MUTANT_MS = process.env.MUTANT_TRIES ? 4000 : 10_000

/**
 * Options for `vi.waitFor`, which by default gives up after a second. Long, because a busy machine is
 * slow: it only ends waits for what never happens. For `expect.poll`, see vitest.config.ts.
 */
export const PATIENCE = { timeout: process.env.MUTANT_GROUP ? MUTANT_MS : 60_000, interval: 20 }

/** Waits until nothing is in flight, including requests that a response has triggered. */
export function waitUntilIdle(inFlight: () => number): Promise<void> {
  return vi.waitFor(async () => {
    expect(inFlight()).toBe(0)
    await new Promise(resolve => setTimeout(resolve, 2))
    expect(inFlight()).toBe(0)
  }, PATIENCE)
}
