import { useStore } from '@nanostores/react'
import { Suspense } from 'react'
import { AccountSkeleton } from '#components/accounts/AccountSkeleton.tsx'
import { Blank } from '#components/ui/Blank.tsx'
import { $account, loadAccount } from '#stores/accounts/account.ts'
import { $customer } from '#stores/accounts/session.ts'
import { AccountDetails } from './AccountDetails.tsx'
import { ConfirmEmailNotice, DeletionNotice } from './late.ts'

/** The account form. Shows a skeleton while the account is loading, a retry button after a failure. */
export function AccountForm() {
  const shown = useStore($account)
  const customer = useStore($customer)
  if (shown.state === 'loading' || !customer) return <AccountSkeleton />
  if (shown.state === 'ready')
    return (
      <Suspense fallback={<AccountSkeleton />}>
        {shown.account.emailConfirmed === false && <ConfirmEmailNotice onChange={loadAccount} />}
        {shown.account.deletion && <DeletionNotice deletion={shown.account.deletion} />}
        <AccountDetails account={shown.account} customerId={customer.id} />
      </Suspense>
    )
  return (
    <Blank text="Failed to fetch user details" onRetry={loadAccount}>
      <p className="text-muted">The market did not answer. Your details are safe.</p>
    </Blank>
  )
}
