import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes the data folder, with mode 0700, where it is missing. Throws an Error that says what is wrong with it. */
export function makeDataFolder(folder: string): void {
  withReason(folder, () => make(folder))
}

/** Does what fails when the data folder is of no use, and then says so. */
export function withReason<Result>(folder: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/** Node's `recursive` never ends below /proc, which answers that its own folders are not there. */
function make(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new Error(`${folder} is not a folder`)
  make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
