import { pino } from 'pino'
import { inject } from 'vitest'
import { createApp } from '#server/app.ts'
import { openDatabase } from '#server/db/open.ts'
import type { Media } from '#server/media/store.ts'
import { openRates } from '#server/services/rates.ts'
import { createApi } from '#lib/api.ts'
import { createDatabase } from './postgres.ts'

const ORIGIN = 'http://provider.test'
/** The API asks nothing of the pictures. */
const NO_MEDIA = {} as Media

const noRates: typeof fetch = () => Promise.reject(new Error('tests ask no exchange-rate service'))

/** A provider on a database of its own, PGlite or PostgreSQL as this run says: the storefront's client and raw requests. */
export async function startProvider() {
  const cluster = inject('postgresUrl')
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ url: cluster ? await createDatabase(cluster) : undefined })
  const rates = openRates({ db: database.db, url: ORIGIN, log, fetch: noRates })
  const app = createApp({ database, media: NO_MEDIA, rates, log })
  return {
    db: database.db,
    database,
    api: createApi({ fetch: request => app.fetch(request), origin: ORIGIN }),
    request: (path: string, init?: RequestInit) => app.request(new URL(path, ORIGIN).href, init),
    close: () => database.close(),
  }
}
