import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

/** Long, because a busy machine is slow: it only ends waits for what never happens. */
const HANGING_MS = 60_000

/** Runs a process that logs, then prints 'alive' and ends. `stderr` is its standard error. */
async function runLogging(statements: string, stderr: number | 'pipe') {
  const program = `
    import { openLog } from '#server/platform/log.ts'
    const log = openLog({ level: 'warn' })
    ${statements}
    setTimeout(() => console.log('alive'), 100)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', stderr],
    timeout: HANGING_MS,
    killSignal: 'SIGKILL',
  })
  const [out, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit') as Promise<[number | null]>])
  return { out, code }
}

test.each([
  ['warnings', "log.warn('a mail could not be sent'); log.warn('nor another one')"],
  ['audit events that cannot be stored', "openLog({ name: 'audit' }, process.stderr).error('could not be stored')"],
])('a shop that cannot log %s because the disk is full goes on, and can end', async (_, statements) => {
  const full = openSync('/dev/full', 'w')
  try {
    expect(await runLogging(statements, full)).toEqual({ out: 'alive\n', code: 0 })
  } finally {
    closeSync(full)
  }
})

test('a shop whose log nobody reads goes on, and can end', async () => {
  // More than a pipe holds, and than the log stores.
  const logMuch = "for (let line = 0; line < 20_000; line += 1) log.warn({ line }, 'a mail could not be sent')"

  expect(await runLogging(logMuch, 'pipe')).toEqual({ out: 'alive\n', code: 0 })
})
