import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { loginPath } from '#lib/navigate.ts'
import { $confirmation, confirmEmail } from '#stores/accounts/email-confirmation.ts'
import { $customer } from '#stores/accounts/session.ts'
import { Failed, InProgress, LinkOutcome, Problem, Success } from '../ui/LinkOutcome.tsx'
import { SendConfirmation } from './SendConfirmation.tsx'

/** Confirms the address of the mailed link as soon as the page has loaded, and shows the outcome. */
export function ConfirmEmail() {
  const confirmation = useStore($confirmation)
  const isSignedIn = useStore($customer) !== null
  useEffect(() => void confirmEmail(), [])

  return (
    <LinkOutcome>
      {confirmation.state === 'confirming' && <InProgress text="Confirming your email address" />}
      {confirmation.state === 'confirmed' && <Confirmed isSignedIn={isSignedIn} />}
      {confirmation.state === 'known' && <Known {...confirmation} />}
      {confirmation.state === 'dead' && <Dead message={confirmation.message} isSignedIn={isSignedIn} />}
      {confirmation.state === 'failed' && <Failed message={confirmation.message} onRetry={confirmEmail} />}
    </LinkOutcome>
  )
}

function Confirmed({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <>
      <Success text="Your email address is confirmed. Thank you!" />
      <a href={isSignedIn ? '/dashboard' : '/'} className="button w-full">
        {isSignedIn ? 'Go to your dashboard' : 'Go to the market'}
      </a>
    </>
  )
}

function Known({ email, message }: { email: string; message: string }) {
  return (
    <>
      <Success text={`Your address is ${email}, and it is confirmed.`} />
      <p className="text-sm text-muted">{message}.</p>
      <a href="/dashboard/account" className="button w-full">
        Go to your account
      </a>
    </>
  )
}

function Dead({ message, isSignedIn }: { message: string; isSignedIn: boolean }) {
  return (
    <>
      <Problem text={message} />
      {isSignedIn ? (
        <SendConfirmation text="Send a new link" />
      ) : (
        <>
          <p className="text-sm text-muted">
            If you have already opened it, there is nothing left to do. Otherwise, log in and we will send you a new
            one.
          </p>
          <a href={loginPath('/dashboard/account')} className="button w-full">
            Log in
          </a>
        </>
      )}
    </>
  )
}
