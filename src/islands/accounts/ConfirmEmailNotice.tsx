import { useEffect } from 'react'
import { AccountNotice } from '#components/accounts/AccountNotice.tsx'
import { followChanges } from '#stores/cross-tab-sync.ts'
import { SendConfirmation } from './SendConfirmation.tsx'

/** Asks the customer to confirm their address. Calls `onChange` when they may have done so in another tab. */
export function ConfirmEmailNotice({ onChange }: { onChange: () => Promise<void> }) {
  useEffect(() => followChanges('account', () => void onChange()), [onChange])

  return (
    <AccountNotice
      id="confirm-email"
      title="Please confirm your email address"
      text="Open the link that we emailed you. Until then, we only email you about paid orders."
    >
      <div className="shrink-0 sm:max-w-72">
        <SendConfirmation className="button w-full sm:w-auto" />
      </div>
    </AccountNotice>
  )
}
