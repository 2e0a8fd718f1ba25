import { useStore } from '@nanostores/react'
import { Suspense } from 'react'
import { AccountSkeleton } from '#components/accounts/AccountSkeleton.tsx'
import { $account, loadAccount } from '#stores/accounts/account.ts'
import { $customer } from '#stores/accounts/session.ts'
import { Blank } from '../ui/Blank.tsx'
import { AccountDetails } from './AccountDetails.tsx'
import { AccountSettings } from './AccountSettings.tsx'
import { ConfirmEmailNotice, DeletionNotice } from './late.ts'

/** The account form and the settings below it. Shows a retry button when the account cannot be loaded. */
export function AccountPage() {
  const shown = useStore($account)
  const customer = useStore($customer)
  // The settings wait, too: a notice above the form would push them down.
  const waiting = (
    <>
      <AccountSkeleton />
      <AccountSettings isWaiting />
    </>
  )
  if (shown.state === 'loading' || !customer) return waiting
  if (shown.state === 'ready')
    return (
      <Suspense fallback={waiting}>
        {shown.account.emailConfirmed === false && <ConfirmEmailNotice onChange={loadAccount} />}
        {shown.account.deletion && <DeletionNotice deletion={shown.account.deletion} />}
        <AccountDetails account={shown.account} customerId={customer.id} />
        <AccountSettings />
      </Suspense>
    )
  return (
    <>
      <Blank text="Failed to fetch user details" onRetry={loadAccount}>
        <p className="text-muted">We could not reach the market. Your details are safe.</p>
      </Blank>
      <AccountSettings />
    </>
  )
}
