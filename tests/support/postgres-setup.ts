import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster that these tests run on; null when they run on PGlite. */
    postgresUrl: string | null
  }
}

/** Runs once, before the API tests; TEST_DATABASE=postgres gives them a PostgreSQL cluster. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const cluster = process.env.TEST_DATABASE === 'postgres' ? await startPostgres() : null
  project.provide('postgresUrl', cluster?.url ?? null)
  return cluster?.stop
}
