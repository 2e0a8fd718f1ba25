import { useEffect } from 'react'
import { followChanges } from '#stores/cross-tab-sync.ts'
import { SendConfirmation } from './SendConfirmation.tsx'

/** Asks the customer to confirm their address. Calls `onChange` when they may have done so in another tab. */
export function ConfirmEmailNotice({ onChange }: { onChange: () => Promise<void> }) {
  useEffect(() => followChanges('account', () => void onChange()), [onChange])

  return (
    <section
      aria-labelledby="confirm-email"
      className="mb-6 flex max-w-3xl flex-col gap-3 rounded-card border border-line bg-accent-soft px-4 py-4 text-sm sm:flex-row sm:items-center sm:justify-between sm:gap-6 sm:px-5"
    >
      <div>
        <h2 id="confirm-email" className="text-base">
          Please confirm your email address
        </h2>
        <p className="mt-1 text-pretty">
          Open the link that we emailed you. Until then, we only email you about paid orders.
        </p>
      </div>
      <div className="shrink-0 sm:max-w-72">
        <SendConfirmation className="button w-full sm:w-auto" />
      </div>
    </section>
  )
}
