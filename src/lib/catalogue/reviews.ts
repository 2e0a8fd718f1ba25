import { queryPage } from '#contract/wire.ts'
import { queryReader } from '../query.ts'

const PAGE = queryPage('reviews')

/** The page of reviews in the query, 1 by default; `null` if it is invalid. */
export function readReviewPage(query: URLSearchParams): number | null {
  const reader = queryReader(query)
  const page = reader.read('reviews', PAGE) ?? 1
  return reader.isClean ? page : null
}

// Creating a formatter costs more than a hundred uses of it.
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Mar 4, 2025', in UTC: the cached page is the same for everyone. */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}
