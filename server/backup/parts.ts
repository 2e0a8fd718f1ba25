/** What an archive begins with. */
export interface Note {
  format: 1
  /** The latest migration that its rows have seen. */
  version: string
  madeAt: string
}

export const NOTE = 'piazza.json'
/** A file for each table. */
export const ROWS = 'rows'
/** Of the data folder: pictures, what customers sent in chat, and the shop's own keys. */
export const FOLDERS = ['media', 'uploads', 'secrets']
