import { chownSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { refuseRoot } from '#server/platform/data-folder.ts'

const NOBODY = 65_534

test('root does not open the embedded database of another account', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-owner-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  refuseRoot(folder, 0)
  const file = join(folder, 'db', 'PG_VERSION')
  await mkdir(join(folder, 'db'))
  await writeFile(file, '17')
  const own = process.getuid!()
  const owner = own === 0 ? NOBODY : own
  if (own === 0) chownSync(file, owner, owner)

  expect(() => refuseRoot(folder, 0)).toThrow(`belongs to the account ${owner}`)
  refuseRoot(folder, owner)
  if (own === 0) chownSync(file, 0, 0)
  if (own === 0) refuseRoot(folder, 0)
})
