import { AccountNotice } from '#components/accounts/AccountNotice.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { Account } from '#contract/account.ts'
import { formatDay } from '#lib/orders/orders.ts'
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
  const reason = deletion.waitsForOrders ? 'We wait until your orders have arrived and your returns are complete. ' : ''
  return (
    <AccountNotice
      id="deletion"
      title={`Your account will be deleted on ${formatDay(deletion.at)}`}
      text={`${reason}You can still change your mind.`}
    >
      <BusyButton type="button" isBusy={isBusy} onClick={run} className="button shrink-0">
        Keep my account
      </BusyButton>
    </AccountNotice>
  )
}
