import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

const RACERS = 6
const name = `test-${process.pid}`
const project = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)

/** Logs when it begins and when it ends. */
const racerIn = (folder: string) => `
  import { appendFileSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { inTurn } from ${JSON.stringify(join(ROOT, 'scripts/turn.mjs'))}
  const note = word => appendFileSync(${JSON.stringify(join(folder, 'log'))}, word + '\\n')
  await inTurn(${JSON.stringify(name)}, async () => {
    note('in')
    await sleep(20)
    note('out')
  })
`

test('processes that find the lock of a dead process run one after the other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'piazza-turn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'exit')
  writeFileSync(join(folder, `piazza-${name}-${project}.pid`), String(dead.pid))

  const racers = Array.from({ length: RACERS }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', racerIn(folder)], {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
    }),
  )
  const codes = await Promise.all(racers.map(racer => once(racer, 'exit')))

  expect(codes.map(([code]) => code as number)).toEqual(racers.map(() => 0))
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('in\nout\n'.repeat(RACERS))
})
