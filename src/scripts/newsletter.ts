import { toast } from '#stores/ui/toasts.ts'

const DOUBLE_CLICK_MS = 500

let thankedAt = -Infinity

/** Accepts the typed address and shows a toast. */
export function subscribe(form: HTMLFormElement): void {
  const email = new FormData(form).get('email')
  if (typeof email !== 'string' || !email.trim()) {
    // The second click of a double click finds the form already cleared.
    if (performance.now() - thankedAt > DOUBLE_CLICK_MS) toast('error', 'Please enter a valid email.')
    return
  }
  form.reset()
  thankedAt = performance.now()
  toast('success', 'Subscribed!')
}
