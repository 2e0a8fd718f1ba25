/** For `vi.waitFor`, which else gives up after a second; `expect.poll` has its own in vitest.config.ts. */
export const PATIENCE = { timeout: 15_000, interval: 20 }
