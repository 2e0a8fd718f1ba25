/** Counts what has changed since the page was opened: messages that arrived, and what is shown of the friends. */
let changes = 0

export function noteChange(): void {
  changes += 1
}

/** Asks again if something has changed meanwhile: the answer may be older and lack a message that has arrived. */
export async function askCurrent<T>(ask: () => Promise<T>): Promise<T> {
  const before = changes
  const answer = await ask()
  return before === changes ? answer : askCurrent(ask)
}
