import { BusyButton } from '#components/ui/Spinner.tsx'
import type { Account } from '#contract/account.ts'
import { formatDay } from '#lib/orders/orders.ts'
import { keepAccount } from '#stores/accounts/deletion.ts'
import { useAction } from '../ui/use-action.ts'

/** Says when the account will be deleted, with a button that keeps it. */
export function DeletionNotice({ deletion }: { deletion: NonNullable<Account['deletion']> }) {
  const { isBusy, run } = useAction(keepAccount)
  return (
    <section
      aria-labelledby="deletion"
      className="mb-6 flex max-w-3xl flex-col gap-3 rounded-card border border-line bg-accent-soft px-4 py-4 text-sm sm:flex-row sm:items-center sm:justify-between sm:gap-6 sm:px-5"
    >
      <div>
        <h2 id="deletion" className="text-base">
          Your account will be deleted on {formatDay(deletion.at)}
        </h2>
        <p className="mt-1 text-pretty">
          {deletion.waitsForOrders
            ? 'We wait until your open orders are shipped. You can still change your mind.'
            : 'You can still change your mind.'}
        </p>
      </div>
      <BusyButton type="button" isBusy={isBusy} onClick={run} className="button shrink-0">
        Keep my account
      </BusyButton>
    </section>
  )
}
