import { chosenGroup, mutantReport } from './scripts/test/mutant-groups.ts'
import { THRESHOLDS } from './scripts/test/mutant-score.ts'

const { name, mutate } = chosenGroup()
const report = mutantReport(name)

/** @type {ConstructorParameters<typeof import('@stryker-mutator/core').Stryker>[0]} */
export default {
  mutate,
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  // Not copied into the sandbox: no test of a group reads these.
  ignorePatterns: ['/data', '/dist', '/.dist', '/dist-content', '/.astro', '/bench', '/test-results'],
  disableTypeChecks: false,
  concurrency: 2,
  // Long, because a busy machine is slow; infinite loops are detected by their hit count.
  timeoutMS: 30_000,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: report },
  incrementalFile: report.replace('.json', '.incremental.json'),
  thresholds: THRESHOLDS,
}
