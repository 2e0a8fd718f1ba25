import { expect, vi } from 'vitest'

/** For `vi.waitFor`, which else gives up after a second; `expect.poll` has its own in vitest.config.ts. */
export const PATIENCE = { timeout: 15_000, interval: 20 }

/** Waits until nothing is under way, also after what one answer has led to. */
export function waitUntilIdle(inFlight: () => number): Promise<void> {
  return vi.waitFor(async () => {
    expect(inFlight()).toBe(0)
    await new Promise(resolve => setTimeout(resolve, 2))
    expect(inFlight()).toBe(0)
  }, PATIENCE)
}
