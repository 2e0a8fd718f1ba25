import { BusyButton } from '#components/ui/Spinner.tsx'
import { focusContent } from '#page-scripts/focus.ts'
import { keepEmail } from '#stores/accounts/profile.ts'
import { useAction } from '../ui/use-action.ts'

/** Says that the new address is not confirmed yet, with a button that withdraws the change. */
export function PendingEmail({ newEmail }: { newEmail: string }) {
  const { isBusy, run } = useAction(async () => {
    await keepEmail()
    focusContent()
  })
  return (
    <div className="mt-3 max-w-md rounded-control bg-accent-soft px-4 py-3 text-sm text-ink">
      <p className="text-pretty">
        Open the link that we emailed to <b className="break-words">{newEmail}</b>. Until then, this address stays.
      </p>
      <BusyButton
        type="button"
        isBusy={isBusy}
        onClick={run}
        className="link mt-1 inline-flex min-h-11 items-center gap-2"
      >
        Keep the old address
      </BusyButton>
    </div>
  )
}
