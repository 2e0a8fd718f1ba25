import { defineConfig } from 'vitest/config'

/** All threads share the compiled embedded database, and the files of one thread share their imports. */
const KEPT_THREADS = { pool: 'threads', isolate: false } as const
/** Stores keep state in their modules: each file loads its own. */
const STORES = 'tests/unit/stores/**/*.test.ts'
/** Files with a process each: they mock modules, set the time zone, count a process's pictures, or test kept state. */
const ALONE = [
  'tests/unit/lib/time-zones.test.ts',
  'tests/unit/page-scripts/catalogue/availability.test.ts',
  'tests/unit/server/accounts/passwords.test.ts',
  'tests/unit/server/media/media.test.ts',
  'tests/unit/server/uploads/full-disk.test.ts',
  'tests/unit/server/db/pglite-stream.test.ts',
]

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    // An approved text is written with -u only, never by a run that misses one.
    update: 'none',
    // These end what hangs; a busy machine may take long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], exclude: [STORES, ...ALONE], ...KEPT_THREADS },
      },
      { extends: true, test: { name: 'unit-stores', include: [STORES], pool: 'vmThreads' } },
      { extends: true, test: { name: 'unit-alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/support/processes/database-setup.ts'],
          ...KEPT_THREADS,
        },
      },
      {
        extends: true,
        // Runs in processes: a worker thread cannot set the umask.
        test: {
          name: 'operators',
          include: ['tests/operators/**/*.test.ts'],
          globalSetup: ['tests/support/processes/database-setup.ts'],
        },
      },
      {
        extends: true,
        // How a process starts, ends and copes with faults does not depend on its database: these run on PGlite.
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts'],
          globalSetup: ['tests/support/processes/database-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['tests/postgres/**/*.test.ts'],
          globalSetup: ['tests/support/processes/database-setup.ts'],
          ...KEPT_THREADS,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: ['tests/support/processes/database-setup.ts'],
          testTimeout: 600_000,
        },
      },
    ],
  },
})
