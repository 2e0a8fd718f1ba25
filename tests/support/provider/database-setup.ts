import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { makeSnapshot, makeTemplate } from './snapshot.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster that these tests run on; null when they run on PGlite. */
    postgresUrl: string | null
    /** What embedded databases begin with; null when the tests run on PostgreSQL. */
    snapshot: string | null
  }
}

/** Runs once, before the tests: those that need PostgreSQL have a cluster, and with TEST_DATABASE=postgres all of them. */
export async function setup(project: TestProject): Promise<() => Promise<void> | void> {
  const isNeeded = project.name === 'postgres' || process.env.TEST_DATABASE === 'postgres'
  const cluster = isNeeded ? await startPostgres() : null
  if (cluster) await makeTemplate(cluster.url)
  // What operators type meets folders in which nothing is yet.
  const snapshot = isNeeded || project.name === 'operators' ? null : await makeSnapshot()
  project.provide('postgresUrl', cluster?.url ?? null)
  project.provide('snapshot', snapshot?.file ?? null)
  return () => {
    snapshot?.remove()
    return cluster?.stop()
  }
}
