import { execFile } from 'node:child_process'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '#scripts/run.mjs'

/**
 * The oldest version whose processes can share a database with this one, and its last migration. With each release,
 * put the release before it here (CHANGELOG.md).
 */
export const PREVIOUS_VERSION = { commit: 'c64d1c01', migration: '0027' }

const MIGRATIONS = 'server/db/migrations'

const execute = promisify(execFile)

/** Unpacks the project as it was in `commit` into `folder`, with the packages and the migrations of this version. */
export async function unpackVersion(commit: string, folder: string): Promise<void> {
  await execute('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).catch((error: unknown) => {
    throw new Error(`commit ${commit} is missing: this test needs a clone with its whole history`, { cause: error })
  })
  await mkdir(folder, { recursive: true })
  await execute('sh', ['-c', 'git archive "$1" | tar x -C "$2"', 'sh', commit, folder], { cwd: ROOT })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await rm(join(folder, MIGRATIONS), { recursive: true })
  await cp(join(ROOT, MIGRATIONS), join(folder, MIGRATIONS), { recursive: true })
}
