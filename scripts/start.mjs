import { ensureInstalled } from './install.mjs'
import { EARLIER_BUILD, runNode, SHOP } from './run.mjs'

try {
  await ensureInstalled({ development: false })
  const built = await runNode(['scripts/build.ts', '--if-needed'])
  if (built === EARLIER_BUILD)
    console.error('Piazza starts with the last good build. Fix the error and start it again.')
  process.exitCode = built === 0 || built === EARLIER_BUILD ? await runNode(SHOP.args, SHOP.env) : built
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
