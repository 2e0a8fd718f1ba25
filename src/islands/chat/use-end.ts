import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Within this distance from the end, the reader counts as at the end. */
const NEAR_PX = 80

interface Options {
  firstSeq: number
  lastSeq: number
  /** Number of the customer's own messages. */
  ownCount: number
}

/**
 * Keeps a list scrolled to its end while the reader is there, scrolls there when the customer writes, and keeps the
 * position when earlier messages are added. Returns the last `seq` read and a function that scrolls to the end.
 */
export function useEnd({ firstSeq, lastSeq, ownCount }: Options) {
  const scroller = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const last = useRef(lastSeq)
  const [readUpTo, setReadUpTo] = useState(lastSeq)
  const before = useRef({ firstSeq, ownCount })
  /** Distance from the top of the view to the end of the list; unchanged when earlier messages are added. */
  const fromEnd = useRef(0)

  const toEnd = useCallback(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight }), [])

  useEffect(() => {
    const list = scroller.current
    if (!list) return undefined
    const follow = () => {
      fromEnd.current = list.scrollHeight - list.scrollTop
      isAtEnd.current = fromEnd.current - list.clientHeight < NEAR_PX
      if (isAtEnd.current) setReadUpTo(last.current)
    }
    // Heights change when pictures load and when the on-screen keyboard opens.
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd()
      else fromEnd.current = list.scrollHeight - list.scrollTop
    })
    for (const part of [list, ...list.children]) sizes.observe(part)
    list.addEventListener('scroll', follow, { passive: true })
    return () => {
      sizes.disconnect()
      list.removeEventListener('scroll', follow)
    }
  }, [toEnd])

  useLayoutEffect(() => {
    const isEarlier = firstSeq < before.current.firstSeq
    const isOwn = !isEarlier && ownCount > before.current.ownCount
    before.current = { firstSeq, ownCount }
    last.current = lastSeq
    if (isAtEnd.current || isOwn) {
      toEnd()
      setReadUpTo(lastSeq)
    } else if (isEarlier) {
      const list = scroller.current
      list?.scrollTo({ top: list.scrollHeight - fromEnd.current })
    }
  }, [firstSeq, lastSeq, ownCount, toEnd])

  return { scroller, readUpTo, toEnd }
}
