import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

const NOBODY = 65_534
/** Makes a program take its account for root, so that any account can run this test. */
const AS_ROOT = '--import=data:text/javascript,process.getuid=()=>0'

test('root is refused at the embedded database of another account', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-owner-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'db', 'PG_VERSION')
  await mkdir(join(folder, 'db'))
  await writeFile(file, '17')
  const owner = process.getuid!() || NOBODY
  if (owner === NOBODY) chownSync(file, owner, owner)

  const { status, stderr } = spawnSync(
    process.execPath,
    [AS_ROOT, join(ROOT, 'scripts/built.mjs'), 'market', 'seller', 'list'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' } },
  )

  expect(stderr).toContain(`belongs to the account ${owner}`)
  expect(stderr).toContain(`sudo -u '#${owner}'`)
  expect(status).toBe(1)
})
