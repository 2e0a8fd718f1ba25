import { useEffect, useState } from 'react'
import type { About } from '#contract/chat.ts'
import { readCard } from '#stores/chat/about.ts'

/** The product or order in the page's address, which the next message is about, and a function that drops it. */
export function useAbout(sellerId: string | null): [about: About | null, drop: () => void] {
  const [about, setAbout] = useState<About | null>(null)

  useEffect(() => {
    const { productId, orderId } = Object.fromEntries(new URLSearchParams(location.search))
    if (sellerId && (productId || orderId)) void readCard(sellerId, { productId, orderId }).then(setAbout)
  }, [sellerId])

  function drop() {
    setAbout(null)
    // A reload must not bring it back.
    history.replaceState(history.state, '', location.pathname)
  }

  return [about, drop]
}
