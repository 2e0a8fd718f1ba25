import { useRef, useState } from 'react'
import { ApiError } from '#lib/api.ts'
import { toast } from '#stores/ui/toasts.ts'

/** Runs the work of a button, once at a time. A failure is shown in a toast. */
export function useAction(work: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)

  async function start() {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast('error', error.message)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  return { isBusy, run: () => void start() }
}
