import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { chatPath } from '#contract/paths.ts'
import { sellerIdOf } from '#lib/chat.ts'
import { isWide as isWideNow, onWidth } from '#lib/chat-window.ts'

/** The conversation that the address names, and how to get to another one and back to the list. */
export function useChatRoute() {
  const [sellerId, setSellerId] = useState(() => sellerIdOf(location.pathname))
  const isWide = useSyncExternalStore(onWidth, isWideNow)

  useEffect(() => {
    const follow = () => setSellerId(sellerIdOf(location.pathname))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  const go = useCallback((next: string) => {
    if (sellerIdOf(location.pathname) === next) return
    history.pushState({ isFromList: true }, '', chatPath(next))
    setSellerId(next)
  }, [])

  const goBack = useCallback(() => {
    if ((history.state as { isFromList?: boolean } | null)?.isFromList) return history.back()
    history.pushState(null, '', chatPath())
    setSellerId(null)
  }, [])

  return { sellerId, isWide, go, goBack }
}
