import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Creates the data folder with mode 0700 if it is missing. Throws an Error that says why the folder cannot be used. */
export function makeDataFolder(folder: string): void {
  withReason(folder, () => makeFolder(folder))
}

/**
 * Throws an Error if this process is root's and the embedded database belongs to another account, which could not open
 * it any more: root's files in it would not be readable.
 */
export function refuseRoot(folder: string): void {
  const owner = statSync(join(folder, 'db', 'PG_VERSION'), { throwIfNoEntry: false })?.uid
  if (process.getuid?.() !== 0 || !owner) return
  throw new Error(
    `The database in ${folder} belongs to the account ${owner}, and root would leave files in it that this account ` +
      `cannot read. Run this as that account, for example with sudo -u '#${owner}'`,
  )
}

/** Runs `work`, and adds to the message of an error that the data folder cannot be used. */
export function withReason<Result>(folder: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/** Creates parents too. Node's `recursive` would never end below /proc, which reports its own folders as missing. */
function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new Error(`${folder} is not a folder`)
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process has created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
