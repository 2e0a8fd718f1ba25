import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { loginPath } from '#lib/navigate.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $ending, endAlerts } from '#stores/cart/end-alerts.ts'
import { Failed, InProgress, LinkOutcome, Problem, Success } from '../ui/LinkOutcome.tsx'

const WISHLIST = '/dashboard/my-wishlist'

/** Ends what the mailed link is about as soon as the page has loaded, and shows the outcome. */
export function EndAlerts() {
  const shown = useStore($ending)
  useEffect(() => void endAlerts(), [])

  return (
    <LinkOutcome>
      {shown.state === 'ending' && <InProgress text="Ending these emails" />}
      {shown.state === 'ended' && (
        <>
          <Success text={`${shown.message}.`} />
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
        Open the link in the latest email of this kind. To end alerts, you can also{' '}
        {isSignedIn ? 'use' : 'log in and use'} your wishlist.
      </p>
      <a href={isSignedIn ? WISHLIST : loginPath(WISHLIST)} className="button w-full">
        {isSignedIn ? 'See your alerts' : 'Log in to see your alerts'}
      </a>
    </>
  )
}
