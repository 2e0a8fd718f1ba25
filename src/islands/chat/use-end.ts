import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end a reader is at the end. */
const NEAR_PX = 80

interface Options {
  firstSeq: number
  lastSeq: number
  /** How many messages the customer wrote. */
  ownCount: number
}

/**
 * Keeps a list at its end while the reader is there, brings it there when the customer has written something, and keeps
 * the reader's place when earlier messages come. Tells up to which `seq` they have read, and how to get to the end.
 */
export function useEnd({ firstSeq, lastSeq, ownCount }: Options) {
  const scroller = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const last = useRef(lastSeq)
  const [readUpTo, setReadUpTo] = useState(lastSeq)
  const before = useRef({ firstSeq, ownCount })
  /** What lies between the top of what the reader sees and the end: it stays when something comes before it. */
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
    // Pictures come later, and the keyboard comes and goes.
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
