import { ensureInstalled } from './install.mjs'
import { runNode } from './run.mjs'

try {
  await ensureInstalled({ development: false })
  process.exitCode = await runNode(['scripts/build.ts', '--if-needed'])
  // A small nursery: a large import would else let the process grow by what it has long read.
  if (process.exitCode === 0) process.exitCode = await runNode(['--max-semi-space-size=8', 'server/main.ts'])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
