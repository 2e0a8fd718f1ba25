/** The message for a click while the browser is offline. */
export const OFFLINE = 'You are offline. Try again when you are back online.'

/** Whether the browser knows that it is offline. Node does not: there, its `navigator` has no `onLine`. */
export function isOffline(): boolean {
  const { onLine = true } = (globalThis.navigator ?? {}) as Partial<Navigator>
  return !onLine
}
