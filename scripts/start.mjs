import { ensureInstalled } from './install.mjs'
import { runNode, SHOP } from './run.mjs'

try {
  await ensureInstalled({ development: false })
  process.exitCode = await runNode(['scripts/build.ts', '--if-needed'])
  if (process.exitCode === 0) process.exitCode = await runNode([...SHOP.flags, 'server/main.ts'], SHOP.env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
