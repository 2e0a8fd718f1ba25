import { useEffect, useRef, useState } from 'react'
import type { About } from '#contract/chat.ts'
import { SEND_TIMEOUT_MS } from '#lib/constants.ts'
import { readCard } from '#stores/chat/about.ts'

/**
 * The product or order in the page's address, which the next message is about, once its card has loaded. `loadedAbout`
 * waits for that.
 */
export function useAbout(sellerId: string | null) {
  const [about, setAbout] = useState<About | null>(null)
  const loading = useRef<Promise<About | null>>(Promise.resolve(null))

  useEffect(() => {
    const { productId, orderId } = Object.fromEntries(new URLSearchParams(location.search))
    if (!sellerId || !(productId || orderId)) return
    loading.current = readCard(sellerId, { productId, orderId })
    void loading.current.then(setAbout)
  }, [sellerId])

  function dropAbout() {
    loading.current = Promise.resolve(null)
    setAbout(null)
    // A reload must not bring it back.
    history.replaceState(history.state, '', location.pathname)
  }

  /** Null if the card cannot be loaded, or takes too long. */
  function loadedAbout() {
    const timeout = new Promise<null>(resolve => setTimeout(resolve, SEND_TIMEOUT_MS, null))
    return Promise.race([loading.current, timeout])
  }

  return { about, loadedAbout, dropAbout }
}
