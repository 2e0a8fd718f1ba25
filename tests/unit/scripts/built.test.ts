import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

test('market without installed packages says what to run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-new-machine-'))
  await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true })

  const words = ['scripts/built.mjs', 'market', 'restore', 'shop.tar.gz']
  const ended = promisify(execFile)(process.execPath, words, { cwd: folder })

  await expect(ended).rejects.toMatchObject({ code: 1, stderr: 'Run npm ci && npm run build first\n' })
  await rm(folder, { recursive: true })
})
