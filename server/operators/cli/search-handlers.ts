import { listSynonyms, replaceSynonyms } from '#server/catalogue/search/current-synonyms.ts'
import { listMisses } from '#server/catalogue/search/misses.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import type { Handlers, Terminal } from './app-context.ts'
import { many } from './describe.ts'
import { say } from './say.ts'
import { printList } from './table.ts'

const MAX_BYTES = 20e6

/** Handlers of the commands for the search. */
export const searchHandlers = {
  async 'search misses'({ limit }, { database }, terminal) {
    const misses = await listMisses(database.db, limit)
    const rows = misses.map(({ words, count }) => [String(count), words])
    return printList(terminal, rows, { limit, none: 'No search without a match has been counted' })
  },

  async 'search synonyms'({ isReplacing }, { database }, terminal) {
    if (isReplacing) {
      const count = await replaceSynonyms(database.db, await readLines(terminal.read))
      return say(terminal, `The search uses ${many(count, 'line')}`)
    }
    const used = await listSynonyms(database.db)
    return say(terminal, used.length > 0 ? used.join('\n') : 'Only the built-in synonyms are in use')
  },
} satisfies Partial<Handlers>

/** Throws an `InvalidInputError` for a file that would fill the memory of the shop. */
async function readLines(read: Terminal['read']): Promise<string[]> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of read) {
    bytes += piece.length
    if (bytes > MAX_BYTES) throw new InvalidInputError(`A file of synonyms has at most ${MAX_BYTES / 1e6} MB`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString().replace(/\n$/, '').split(/\r?\n/)
}
