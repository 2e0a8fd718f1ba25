import { RECENT_SEARCHES } from '../accounts/storage.ts'
import { storeHistory, readHistory } from './browsing-history.ts'

const MAX_RECENT_SEARCHES = 8
const MAX_LENGTH = 100

/** The latest searches of this browser, newest first. */
export function recentSearches(): string[] {
  return readHistory(RECENT_SEARCHES, entry => typeof entry === 'string')
}

/** Puts a search first. One that differs only in case replaces the earlier one. */
export function addSearch(search: string): void {
  const text = search.trim().replaceAll(/\s+/g, ' ')
  if (text === '' || text.length > MAX_LENGTH) return
  const others = recentSearches().filter(each => each.toLowerCase() !== text.toLowerCase())
  storeHistory(RECENT_SEARCHES, [text, ...others].slice(0, MAX_RECENT_SEARCHES))
}

export function removeSearch(search: string): void {
  storeHistory(
    RECENT_SEARCHES,
    recentSearches().filter(each => each !== search),
  )
}

export function clearSearches(): void {
  storeHistory(RECENT_SEARCHES, [])
}
