import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { makeSnapshot, makeTemplate } from '../provider/snapshot.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the cluster for these tests; null when they run on PGlite. */
    postgresUrl: string | null
    /** Snapshot file that embedded databases start from; null when the tests run on PostgreSQL. */
    snapshot: string | null
  }
}

/** Runs once before the tests. Starts a cluster if they need PostgreSQL; with TEST_DATABASE=postgres, always. */
export async function setup(project: TestProject): Promise<() => Promise<void> | void> {
  const isNeeded = project.name === 'postgres' || process.env.TEST_DATABASE === 'postgres'
  const cluster = isNeeded ? await startPostgres() : null
  if (cluster) await makeTemplate(cluster.url)
  // The projects of a run share one snapshot; shops in processes of their own find it there, too.
  const { SNAPSHOT: earlier } = process.env
  const snapshot = isNeeded || earlier ? null : await makeSnapshot()
  if (snapshot) process.env.SNAPSHOT = snapshot.file
  project.provide('postgresUrl', cluster?.url ?? null)
  project.provide('snapshot', isNeeded ? null : (earlier ?? snapshot?.file ?? null))
  return () => {
    snapshot?.remove()
    return cluster?.stop()
  }
}
