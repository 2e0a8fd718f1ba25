/** Counts changes since the page was opened: arriving messages and updates of the list of friends. */
let changes = 0

export function noteChange(): void {
  changes += 1
}

/**
 * Returns a response that is not older than the data on the page: asks again if a message has arrived or the friends
 * have changed in the meantime.
 */
export async function askCurrent<T>(ask: () => Promise<T>): Promise<T> {
  const before = changes
  const answer = await ask()
  return before === changes ? answer : askCurrent(ask)
}
