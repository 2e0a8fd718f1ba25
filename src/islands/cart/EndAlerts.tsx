import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { loginPath } from '#lib/navigate.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $ending, endAlerts } from '#stores/cart/end-alerts.ts'
import { Failed, InProgress, LinkOutcome, Problem, Success } from '../ui/LinkOutcome.tsx'

const WISHLIST = '/dashboard/my-wishlist'

/** Ends the alerts of the mailed link as soon as the page has loaded, and shows the outcome. */
export function EndAlerts() {
  const shown = useStore($ending)
  useEffect(() => void endAlerts(), [])

  return (
    <LinkOutcome>
      {shown.state === 'ending' && <InProgress text="Ending your alerts" />}
      {shown.state === 'ended' && (
        <>
          <Success text="All your alerts have ended. We will not write to you about these products again." />
          <a href="/" className="button w-full">
            Continue shopping
          </a>
        </>
      )}
      {shown.state === 'dead' && <Dead message={shown.message} />}
      {shown.state === 'failed' && <Failed message={shown.message} onRetry={endAlerts} />}
    </LinkOutcome>
  )
}

function Dead({ message }: { message: string }) {
  const isSignedIn = useStore($customer) !== null
  return (
    <>
      <Problem text={message} />
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
