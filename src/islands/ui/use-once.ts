import { useRef, useState } from 'react'

/** Returns the running kinds and a function that runs work, unless work of the same kind is already running. */
export function useOnce<Kind extends string>() {
  const [busy, setBusy] = useState<ReadonlySet<Kind>>(new Set())
  const running = useRef(new Set<Kind>())

  async function once(kind: Kind, work: () => Promise<void>) {
    if (running.current.has(kind)) return
    running.current.add(kind)
    setBusy(new Set(running.current))
    try {
      await work()
    } finally {
      running.current.delete(kind)
      setBusy(new Set(running.current))
    }
  }

  return [busy, once] as const
}
