import { useState } from 'react'
import { AccountNotice } from '#components/accounts/AccountNotice.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { Account } from '#contract/account.ts'
import { formatPromisedDay } from '#lib/orders/orders.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { keepAccount } from '#stores/accounts/deletion.ts'
import { useAction } from '../ui/use-action.ts'

interface Props {
  deletion: NonNullable<Account['deletion']>
  /** Called once the customer has kept the account. */
  onKept?: () => Promise<void>
}

/** Says when the account will be deleted, with a button that keeps it. */
export function DeletionNotice({ deletion, onKept }: Props) {
  const { isBusy, run } = useAction(async () => {
    await keepAccount()
    await onKept?.()
    focusContent()
  })
  const [now] = useState(Date.now)
  const { at, waitsForOrders } = deletion
  const day = `on ${formatPromisedDay(at)}`
  const until = 'your orders have arrived and your returns are complete'
  const isLate = waitsForOrders && now > Date.parse(at)
  return (
    <AccountNotice
      id="deletion"
      title={`Your account will be deleted ${isLate ? `once ${until}` : day}`}
      text={`${waitsForOrders && !isLate ? `We wait until ${until}. ` : ''}You can still change your mind.`}
    >
      <BusyButton type="button" isBusy={isBusy} onClick={run} className="button shrink-0">
        Keep my account
      </BusyButton>
    </AccountNotice>
  )
}
