import { ensureInstalled } from './install.mjs'
import { runNode } from './run.mjs'

try {
  await ensureInstalled({ development: true })
  process.exitCode = await runNode(['scripts/test/main.ts', ...process.argv.slice(2)])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
