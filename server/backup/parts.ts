import * as z from 'zod/mini'

/** What an archive begins with; `version` is the latest migration that its rows have seen. */
export const Note = z.object({ format: z.literal(1), version: z.string(), madeAt: z.string() })
export type Note = z.output<typeof Note>

export const NOTE = 'piazza.json'
/** A file for each table. */
export const ROWS = 'rows'
/** Of the data folder: pictures, what customers sent in chat, and the shop's own keys. */
export const FOLDERS = ['media', 'uploads', 'secrets']
