import * as z from 'zod/mini'

export const FORMAT = 1

/**
 * What an archive begins with. `release` is the git tag of the version of Piazza that made it; v0.1.0 did not say so.
 * `version` is the latest migration that its rows have seen.
 */
export const Note = z.object({
  format: z.int(),
  release: z._default(z.string(), 'v0.1.0'),
  version: z.string(),
  madeAt: z.string(),
})
export type Note = z.output<typeof Note>

export const NOTE = 'piazza.json'
/** A file for each table. */
export const ROWS = 'rows'
/** Of the data folder: pictures, what customers sent in chat, and the shop's own keys. */
export const FOLDERS = ['media', 'uploads', 'secrets']
