import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster that these tests run on; null when they run on PGlite. */
    postgresUrl: string | null
  }
}

/** Runs once, before the tests: those that need PostgreSQL have a cluster, and with TEST_DATABASE=postgres all of them. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const isNeeded = project.name === 'postgres' || process.env.TEST_DATABASE === 'postgres'
  const cluster = isNeeded ? await startPostgres() : null
  project.provide('postgresUrl', cluster?.url ?? null)
  return cluster?.stop
}
