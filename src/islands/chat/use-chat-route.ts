import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { chatPath } from '#contract/page-urls.ts'
import { sellerIdOf } from '#lib/chat/chat.ts'
import { isWide as isWideNow, onWidth } from '#page-scripts/chat/chat-window.ts'

/** State of a history entry. `isList`: the customer went back to the list of sellers here. */
interface ChatState {
  isList?: boolean
  isFromList?: boolean
}

const chatState = () => (history.state ?? {}) as ChatState

/**
 * The seller in the URL, and functions to open another conversation or go back to the list. `isList` is true on a phone
 * after the customer went back to the list.
 */
export function useChatRoute() {
  const [sellerId, setSellerId] = useState(() => sellerIdOf(location.pathname))
  const [isList, setIsList] = useState(() => chatState().isList === true)
  const isWide = useSyncExternalStore(onWidth, isWideNow)

  useEffect(() => {
    const follow = () => {
      setSellerId(sellerIdOf(location.pathname))
      setIsList(chatState().isList === true)
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  const go = useCallback((next: string) => {
    if (sellerIdOf(location.pathname) === next) return
    if (sellerIdOf(location.pathname) === null) history.replaceState({ isList: true } satisfies ChatState, '')
    history.pushState({ isFromList: true } satisfies ChatState, '', chatPath(next))
    setSellerId(next)
  }, [])

  const goBack = useCallback(() => {
    if (chatState().isFromList) return history.back()
    history.pushState({ isList: true } satisfies ChatState, '', chatPath())
    setSellerId(null)
    setIsList(true)
  }, [])

  return { sellerId, isList: isList && !isWide, go, goBack }
}
