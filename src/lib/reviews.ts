import * as z from 'zod/mini'
import { queryPage } from '#contract/wire.ts'

const PAGE = queryPage('reviews')

/** Which page of reviews an address asks for; `null` when what it says is no page. */
export function readReviewPage(query: URLSearchParams): number | null {
  const [given, ...more] = query.getAll('reviews')
  const page = z.safeDecode(PAGE, given)
  return page.success && more.length === 0 ? (page.data ?? 1) : null
}

// Making a formatter costs more than a hundred uses of it.
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Mar 4, 2025', the same for everyone: the page is stored. */
export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}
