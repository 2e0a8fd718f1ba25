import { lstatSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync, unlinkSync } from 'node:fs'

/** Folders that a process creates even without pictures. */
const OWN = ['drafts']

/**
 * Replaces `own`, the folder for pictures in the data folder, by a link to the folder that several processes share.
 * Backups follow the link. Throws an Error if the shared folder does not exist, or if `own` already contains pictures.
 */
export function linkSharedMedia(own: string, shared: string): void {
  if (!statSync(shared, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`MEDIA_DIR is ${shared}, and there is no such folder: is it mounted?`)
  const found = lstatSync(own, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) {
    if (readlinkSync(own) === shared) return
    unlinkSync(own)
  } else if (found) {
    if (readdirSync(own).some(name => !OWN.includes(name)))
      throw new Error(`There are pictures in ${own}: move them to ${shared}, and remove the folder`)
    rmSync(own, { recursive: true })
  }
  symlinkSync(shared, own)
}
