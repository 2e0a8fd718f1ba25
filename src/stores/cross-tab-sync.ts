import { REFRESH_MS } from '#lib/constants.ts'

/** Kinds of data whose changes are reported to other tabs. */
export type Topic = 'account' | 'cart' | 'wishlist' | 'alerts' | 'addresses' | 'orders' | 'notifications' | 'chat'

const keyOf = (topic: Topic) => `${topic}Changed`

/** Notifies the other tabs of this browser that their data is out of date. */
export function notifyOtherTabs(topic: Topic): void {
  try {
    localStorage.setItem(keyOf(topic), `${Date.now()}.${Math.random()}`)
  } catch {
    // Storage can be full or forbidden. Other tabs then reload when they become visible.
  }
}

/**
 * Runs `load` when another tab reports a change of `topic`, when the page becomes visible, when the browser restores
 * it from its back/forward cache and when the network is back. Returns a function that stops it.
 */
export function followChanges(topic: Topic, load: () => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  addEventListener('storage', ({ key }) => key === keyOf(topic) && load(), { signal })
  addEventListener('online', load, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && load(), { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && load(), { signal })
  return () => stop.abort()
}

/** Like `followChanges`, and every 30 s while visible: changes by operators send no notification. */
export function keepFresh(topic: Topic, load: () => void): () => void {
  const stopFollowing = followChanges(topic, load)
  const timer = setInterval(() => document.visibilityState === 'visible' && load(), REFRESH_MS)
  return () => {
    stopFollowing()
    clearInterval(timer)
  }
}
