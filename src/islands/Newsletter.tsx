import type { FormEvent } from 'react'
import { toast } from '#stores/toasts.ts'

export function Newsletter() {
  function subscribe(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const email = new FormData(form).get('email')
    if (typeof email !== 'string' || !email.trim()) return toast('error', 'Please enter a valid email.')
    form.reset()
    toast('success', 'Subscribed!')
  }

  // Outside a dialog this method does nothing, so that without JavaScript no address ends up in a URL.
  return (
    <form method="dialog" noValidate onSubmit={subscribe} className="flex gap-2">
      <label className="sr-only" htmlFor="newsletter-email">
        Email
      </label>
      <input
        id="newsletter-email"
        type="email"
        name="email"
        autoComplete="email"
        placeholder="you@example.com"
        className="field min-w-0"
      />
      <button type="submit" className="button">
        Subscribe
      </button>
    </form>
  )
}
