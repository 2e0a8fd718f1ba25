import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Spinner } from '#components/ui/Spinner.tsx'
import { loginPath } from '#lib/navigate.ts'
import { $confirmation, confirmEmail } from '#stores/accounts/email-confirmation.ts'
import { $customer } from '#stores/accounts/session.ts'
import { SendConfirmation } from './SendConfirmation.tsx'

/** Confirms the address of the mailed link as soon as the page has loaded, and shows the outcome. */
export function ConfirmEmail() {
  const confirmation = useStore($confirmation)
  const isSignedIn = useStore($customer) !== null
  useEffect(() => void confirmEmail(), [])

  // The minimum height fits the longest text on a phone, so that nothing below it moves.
  return (
    <div className="flex min-h-52 flex-col justify-center gap-4">
      {confirmation.state === 'confirming' && <Confirming />}
      {confirmation.state === 'confirmed' && <Confirmed isSignedIn={isSignedIn} />}
      {confirmation.state === 'dead' && <Dead message={confirmation.message} isSignedIn={isSignedIn} />}
      {confirmation.state === 'failed' && <Failed message={confirmation.message} />}
    </div>
  )
}

function Confirming() {
  return (
    <output className="flex items-center gap-3 font-medium">
      <Spinner />
      Confirming your email address …
    </output>
  )
}

function Confirmed({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <>
      <output className="block rounded-control bg-good/10 px-4 py-3 font-medium text-good">
        Your email address is confirmed. Thank you!
      </output>
      <a href={isSignedIn ? '/dashboard' : '/'} className="button w-full">
        {isSignedIn ? 'Go to your dashboard' : 'Go to the market'}
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

function Failed({ message }: { message: string }) {
  return (
    <>
      <Problem text={message} />
      <button type="button" onClick={() => void confirmEmail()} className="button w-full">
        Try again
      </button>
    </>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 font-medium text-bad">
      {text}.
    </p>
  )
}
