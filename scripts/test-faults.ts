import { join } from 'node:path'
import { NODE, ROOT, run } from './run.mjs'

interface Round {
  args: string[]
  env?: Record<string, string>
}

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const LONGEST = '--testTimeout=600000'
const THOROUGH = { TEST_FAULTS: 'on' }
/** What goes through more rounds here than in `npm test`, on either database. */
const FILES = ['tests/api/database-crashes', 'tests/api/lost-answers', 'tests/api/fuzz', 'tests/api/chat-disconnects']

const ROUNDS: Round[] = [
  { args: ['--project=unit*', 'tests/unit/server/order-lines'], env: THOROUGH },
  { args: ['--project=api', ...FILES], env: THOROUGH },
  {
    args: ['--project=api', '--project=postgres', 'tests/postgres', ...FILES],
    env: { ...THOROUGH, TEST_DATABASE: 'postgres' },
  },
  { args: ['--project=faults'] },
]

const named = process.argv.slice(2)
for (const { args, env } of named.length > 0 ? [{ args: ['--project=faults', ...named], env: THOROUGH }] : ROUNDS) {
  const code = await run(NODE, [VITEST, 'run', LONGEST, ...args], { env: { ...process.env, ...env } })
  if (code !== 0) process.exitCode = code
}
