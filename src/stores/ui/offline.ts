import { OFFLINE } from '#lib/api.ts'
import { toast } from './toasts.ts'

/** Whether the browser is offline; a toast says so. For buttons that only lead to another page. */
export function sayIfOffline(): boolean {
  if (navigator.onLine) return false
  toast('error', OFFLINE)
  return true
}
