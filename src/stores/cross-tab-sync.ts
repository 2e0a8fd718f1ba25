import { REFRESH_MS } from '#lib/constants.ts'

/** What other tabs are told of. */
type Topic = 'account' | 'cart' | 'wishlist' | 'orders' | 'notifications' | 'chat'

const keyOf = (topic: Topic) => `${topic}Changed`

/** Tells the other tabs of this browser that what they show is old. */
export function tellOtherTabs(topic: Topic): void {
  try {
    localStorage.setItem(keyOf(topic), `${Date.now()}.${Math.random()}`)
  } catch {
    // Storage can be full or forbidden; other tabs then learn it when they are looked at.
  }
}

/**
 * Runs `load` when another tab has changed something, when the page is looked at again, when Back brings it out of the
 * browser's memory and when the network is back. Answers how to stop.
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

/** As `followChanges`, and every half minute while the page is looked at: what operators change comes without news. */
export function keepFresh(topic: Topic, load: () => void): () => void {
  const stopFollowing = followChanges(topic, load)
  const timer = setInterval(() => document.visibilityState === 'visible' && load(), REFRESH_MS)
  return () => {
    stopFollowing()
    clearInterval(timer)
  }
}
