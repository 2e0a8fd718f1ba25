import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { $loadingEarlier, loadEarlier } from '#stores/chat/earlier.ts'
import { $hasEarlier } from '#stores/chat/threads.ts'

interface Props {
  sellerId: string
  scroller: RefObject<HTMLElement | null>
}

/** Distance from the top at which earlier messages are loaded in advance. */
const AHEAD = '400px 0px 0px'

/** Loads earlier messages when the reader scrolls to the top or uses the button, as long as there are any. */
export function Earlier({ sellerId, scroller }: Props) {
  return useStore($hasEarlier).has(sellerId) && <EarlierButton sellerId={sellerId} scroller={scroller} />
}

function EarlierButton({ sellerId, scroller }: Props) {
  const isLoading = useStore($loadingEarlier) === sellerId
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    const [list, target] = [scroller.current, button.current]
    if (!list || !target) return undefined
    const look = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && void loadEarlier(sellerId)
    const observer = new IntersectionObserver(look, { root: list, rootMargin: AHEAD })
    observer.observe(target)
    return () => observer.disconnect()
  }, [sellerId, scroller])

  useLayoutEffect(() => {
    const target = button.current
    // The button disappears with the last page; keep keyboard focus in the list.
    return () => {
      if (document.activeElement === target) target?.closest('section')?.focus({ preventScroll: true })
    }
  }, [])

  return (
    <p className="py-2 text-center">
      <button
        ref={button}
        type="button"
        onClick={() => void loadEarlier(sellerId)}
        aria-disabled={isLoading}
        aria-busy={isLoading}
        className="button-quiet min-h-11 px-4 text-sm aria-disabled:opacity-60"
      >
        {isLoading ? 'Loading earlier messages…' : 'Earlier messages'}
      </button>
    </p>
  )
}
