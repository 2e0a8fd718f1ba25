/** Counts changes since the page was opened: arriving messages and updates of the list of friends. */
let changes = 0

export function noteChange(): void {
  changes += 1
}

/**
 * Returns a response that is not older than the data on the page: fetches again if a message has arrived or the friends
 * have changed in the meantime.
 */
export async function fetchCurrent<T>(fetch: () => Promise<T>): Promise<T> {
  const before = changes
  const response = await fetch()
  return before === changes ? response : fetchCurrent(fetch)
}
