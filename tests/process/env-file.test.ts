import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

test('a .env that cannot be read is named in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-env-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // A folder, because root can read any file.
  await mkdir(join(folder, '.env'))

  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/built.mjs'), 'market', 'doctor'], {
    cwd: folder,
    encoding: 'utf8',
  })

  expect(stderr).toMatch(/^\.env cannot be read by this account: .*\n$/)
  expect(status).toBe(1)
})
