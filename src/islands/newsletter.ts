import { toast } from '#stores/toasts.ts'

/** Takes the address that was typed, and says so. */
export function subscribe(form: HTMLFormElement): void {
  const email = new FormData(form).get('email')
  if (typeof email !== 'string' || !email.trim()) return toast('error', 'Please enter a valid email.')
  form.reset()
  toast('success', 'Subscribed!')
}
