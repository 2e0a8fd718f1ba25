import { queryPage } from '#contract/wire.ts'
import { queryReader } from '../query.ts'

const PAGE = queryPage('reviews')

/** Which page of reviews an address asks for; `null` when what it says is no page. */
export function readReviewPage(query: URLSearchParams): number | null {
  const reader = queryReader(query)
  const page = reader.read('reviews', PAGE) ?? 1
  return reader.isClean ? page : null
}

// Making a formatter costs more than a hundred uses of it.
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Mar 4, 2025', the same for everyone: the page is stored. */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}
