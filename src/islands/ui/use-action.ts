import { ApiError } from '#lib/api.ts'
import { toast } from '#stores/ui/toasts.ts'
import { useOnce } from './use-once.ts'

/** Runs the work of a button, once at a time. A failure is shown in a toast. */
export function useAction(work: () => Promise<void>) {
  const [busy, once] = useOnce<'work'>()

  async function tryWork() {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast('error', error.message)
    }
  }

  return { isBusy: busy.has('work'), run: () => void once('work', tryWork) }
}
