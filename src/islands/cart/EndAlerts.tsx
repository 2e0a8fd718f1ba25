import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Spinner } from '#components/ui/Spinner.tsx'
import { loginPath } from '#lib/navigate.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $ending, endAlerts } from '#stores/cart/end-alerts.ts'

const WISHLIST = '/dashboard/my-wishlist'

/** Ends the alerts of the mailed link as soon as the page has loaded, and shows the outcome. */
export function EndAlerts() {
  const shown = useStore($ending)
  useEffect(() => void endAlerts(), [])

  // The minimum height fits the longest text on a phone, so that nothing below it moves.
  return (
    <div className="flex min-h-56 flex-col justify-center gap-4">
      {shown.state === 'ending' && (
        <output className="flex items-center gap-3 font-medium">
          <Spinner />
          Ending your alerts …
        </output>
      )}
      {shown.state === 'ended' && (
        <>
          <output className="block rounded-control bg-good/10 px-4 py-3 font-medium text-good">
            All your alerts have ended. We will not write to you about these products again.
          </output>
          <a href="/" className="button w-full">
            Continue shopping
          </a>
        </>
      )}
      {shown.state === 'dead' && <Dead message={shown.message} />}
      {shown.state === 'failed' && (
        <>
          <Problem text={`${shown.message}.`} />
          <button type="button" onClick={() => void endAlerts()} className="button w-full">
            Try again
          </button>
        </>
      )}
    </div>
  )
}

function Dead({ message }: { message: string }) {
  const isSignedIn = useStore($customer) !== null
  return (
    <>
      <Problem text={`${message}.`} />
      <p className="text-sm text-muted">
        Open the link in the latest email about your alerts, or {isSignedIn ? '' : 'log in and '}end them on your
        wishlist.
      </p>
      <a href={isSignedIn ? WISHLIST : loginPath(WISHLIST)} className="button w-full">
        {isSignedIn ? 'See your alerts' : 'Log in to see your alerts'}
      </a>
    </>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 font-medium text-bad">
      {text}
    </p>
  )
}
