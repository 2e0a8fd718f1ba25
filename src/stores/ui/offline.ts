import { isOffline, OFFLINE } from '#lib/api.ts'
import { toast } from './toasts.ts'

/**
 * Whether the browser is offline; a toast says so. For buttons that send nothing themselves, or whose own message would
 * not name the reason.
 */
export function sayIfOffline(): boolean {
  if (!isOffline()) return false
  toast('error', OFFLINE)
  return true
}
