import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end a reader is at the end. */
const NEAR_PX = 80

/**
 * Keeps a list at its end while the reader is there, and brings it there when the customer has written something. Tells
 * up to which `seq` they have read, and how to get to the end.
 */
export function useEnd(lastSeq: number, ownCount: number) {
  const scroller = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const last = useRef(lastSeq)
  const [readUpTo, setReadUpTo] = useState(lastSeq)
  const owned = useRef(ownCount)

  const toEnd = useCallback(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight }), [])

  useEffect(() => {
    const list = scroller.current
    if (!list) return undefined
    const follow = () => {
      isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX
      if (isAtEnd.current) setReadUpTo(last.current)
    }
    // Pictures come later, and the keyboard comes and goes.
    const sizes = new ResizeObserver(() => isAtEnd.current && toEnd())
    for (const part of [list, ...list.children]) sizes.observe(part)
    list.addEventListener('scroll', follow, { passive: true })
    return () => {
      sizes.disconnect()
      list.removeEventListener('scroll', follow)
    }
  }, [toEnd])

  useLayoutEffect(() => {
    last.current = lastSeq
    if (!isAtEnd.current && ownCount <= owned.current) return
    owned.current = ownCount
    toEnd()
    setReadUpTo(lastSeq)
  }, [lastSeq, ownCount, toEnd])

  return { scroller, readUpTo, toEnd }
}
