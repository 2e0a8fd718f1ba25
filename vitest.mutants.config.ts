import { defineConfig } from 'vitest/config'
import { chosenGroup } from './scripts/test/mutant-groups.ts'

const { tests, isIsolated = false, usesDatabase = false } = chosenGroup()

export default defineConfig({
  test: {
    environment: 'node',
    include: tests,
    isolate: isIsolated,
    update: 'none',
    // As in vitest.config.ts: slow is not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: usesDatabase ? ['tests/support/processes/database-setup.ts'] : [],
    // What does not come is waited for again and again: once for each mutant that a poll notices.
    expect: { poll: { timeout: 3000 } },
  },
})
