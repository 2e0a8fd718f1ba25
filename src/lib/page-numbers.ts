import { PAGER_NUMBERS } from './constants.ts'

/** The page numbers to show around `page`, at most five; empty if everything fits on one page. */
export function pageNumbers(page: number, pageSize: number, total: number): number[] {
  const last = Math.ceil(total / pageSize)
  if (last <= 1) return []
  const shown = Math.min(PAGER_NUMBERS, last)
  const first = Math.min(Math.max(1, page - Math.floor(shown / 2)), last - shown + 1)
  return Array.from({ length: shown }, (_, at) => first + at)
}
