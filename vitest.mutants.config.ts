import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { EMBEDDED_TAG } from './scripts/test/embedded.ts'
import { chosenGroup } from './scripts/test/mutant-groups.ts'

const { tests, isIsolated = false, usesDatabase = false } = chosenGroup()

const bytesOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size

/** Runs small files first: the run of a mutant ends with the first test that fails. */
class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => bytesOf(one) - bytesOf(other)))
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // Without it, vitest rejects the files that carry the tag.
    tags: [{ name: EMBEDDED_TAG }],
    include: tests,
    sequence: { sequencer: SmallFirst },
    isolate: isIsolated,
    update: 'none',
    // As in vitest.config.ts: slow is not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: usesDatabase ? ['tests/support/processes/database-setup.ts'] : [],
    // What does not come is waited for again and again: once for each mutant that a poll notices.
    expect: { poll: { timeout: 10_000 } },
  },
})
