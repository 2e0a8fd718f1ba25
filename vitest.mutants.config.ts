import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { instrumentedFiles } from './scripts/test/instrumented.ts'
import { chosenGroup } from './scripts/test/mutant-groups.ts'

const { tests, isIsolated = false, usesDatabase = false } = chosenGroup()
/** Set by `--in-one-process`; Stryker prepares the files itself. */
const { MUTATED_FILES = '', MUTANT_TRIES } = process.env

/**
 * The run of a mutant ends with its first failure: files that detected the last mutant run first, because its
 * neighbours are often detected by the same ones, and then the small ones.
 */
class LikelyFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) =>
      this.ctx.cache.getTestSpecificationResult(file)?.failed ? 0 : statSync(file.moduleId).size
    return Promise.resolve(files.toSorted((one, other) => rank(one) - rank(other)))
  }
}

export default defineConfig({
  plugins: MUTATED_FILES ? [instrumentedFiles(MUTATED_FILES.split('\n'))] : [],
  test: {
    ...(MUTATED_FILES && { pool: 'threads', maxWorkers: 1, fsModuleCache: false }),
    ...(MUTANT_TRIES && { runner: './scripts/test/mutant-runner.ts' }),
    environment: 'node',
    include: tests,
    sequence: { sequencer: LikelyFirst },
    isolate: isIsolated,
    update: 'none',
    // As in vitest.config.ts: slow is not wrong.
    testTimeout: 60_000,
    hookTimeout: MUTANT_TRIES ? 10_000 : 120_000,
    globalSetup: usesDatabase ? ['tests/support/processes/database-setup.ts'] : [],
    // Short: each mutant that makes a poll fail waits for this whole time.
    expect: { poll: { timeout: MUTANT_TRIES ? 4000 : 10_000 } },
  },
})
