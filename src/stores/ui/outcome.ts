import { ApiError } from '#lib/api.ts'
import { toast } from './toasts.ts'

/** Sends a change and shows the provider's message, or why it failed, in a toast. Returns whether it succeeded. */
export async function showOutcome(send: () => Promise<{ message: string }>): Promise<boolean> {
  try {
    const { message } = await send()
    toast('success', message)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.message)
    return false
  }
}
