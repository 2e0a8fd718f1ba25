import * as z from 'zod/mini'

export const FORMAT = 1

/**
 * The first file of an archive. `release` is the version of Piazza that made the archive; v0.1.0 did not write it.
 * `version` is the hash of the latest migration that was applied to the rows.
 */
export const Note = z.object({
  format: z.int(),
  release: z._default(z.string(), 'v0.1.0'),
  version: z.string(),
  madeAt: z.string(),
})
export type Note = z.output<typeof Note>

export const NOTE = 'piazza.json'
/** Folder in the archive with a file for each table. */
export const ROWS = 'rows'
/**
 * Folders of the data folder that are backed up: pictures, uploaded files (chats, reviews, returns), and keys that an
 * earlier version stored in files.
 */
export const FOLDERS = ['media', 'uploads', 'secrets']
