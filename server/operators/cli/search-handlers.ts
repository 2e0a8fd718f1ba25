import { listSynonyms, replaceSynonyms } from '#server/catalogue/search/current-synonyms.ts'
import { listMisses } from '#server/catalogue/search/misses.ts'
import type { Handlers } from './app-context.ts'
import { many } from './describe.ts'
import { say } from './say.ts'
import { printList } from './table.ts'

/** Handlers of the commands for the search. */
export const searchHandlers = {
  async 'search misses'({ limit }, { database }, terminal) {
    const misses = await listMisses(database.db, limit)
    const rows = misses.map(({ words, count }) => [String(count), words])
    return printList(terminal, rows, { limit, none: 'No search has missed' })
  },

  async 'search synonyms'({ lines }, { database }, terminal) {
    if (lines) return say(terminal, `The search uses ${many(await replaceSynonyms(database.db, lines), 'line')}`)
    const used = await listSynonyms(database.db)
    return say(terminal, used.length > 0 ? used.join('\n') : 'Only the built-in synonyms are in use')
  },
} satisfies Partial<Handlers>
