import { useEffect, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'
import { isSameAddress } from '#lib/accounts/same-address.ts'

const FORM = 'account'

interface Draft {
  values: Account
  /** The default address when the values were edited. */
  address: Account['shippingDetails']
}

/** The account form's state. Edits are stored in this tab until they are saved or discarded. */
export function useAccountDraft(account: Account, customerId: string) {
  const [restored, setRestored] = useState(() => readRestored(account, customerId))
  const [values, setValues] = useState(restored ?? account)
  const [address, setAddress] = useState(account.shippingDetails)
  const isEdited = useRef(false)
  const lastSaved = useRef<Account>(undefined)

  // Another form or tab has replaced the default address, or this one was saved.
  if (!isSameAddress(account.shippingDetails, address)) {
    setAddress(account.shippingDetails)
    setValues(withAddress(account, { values, address }))
  }

  useEffect(() => {
    if (isEdited.current) storeDraft(FORM, customerId, { values, address } satisfies Draft)
  }, [address, customerId, values])

  function forget() {
    isEdited.current = false
    storeDraft(FORM, customerId, null)
    setRestored(null)
  }

  return {
    values,
    /** The form started with unsaved edits from before. */
    hasRestoredEdits: restored !== null,
    /** Whether nothing was changed since the last save, for example at a second click. */
    isSaved: () => values === lastSaved.current,
    edit(change: (now: Account) => Account) {
      isEdited.current = true
      setValues(change)
    },
    /** Marks the form as saved. Edits made while it was being sent stay. */
    markSaved(saved: Account) {
      forget()
      lastSaved.current = saved
      setValues(now => (now === values ? saved : now))
    },
    discard() {
      forget()
      setValues(account)
    },
  }
}

/** Unsaved edits from before. */
function readRestored(account: Account, customerId: string): Account | null {
  const draft = readDraft(FORM, customerId) as Partial<Draft> | null
  return draft?.values && draft.address ? withAddress(account, draft as Draft) : null
}

/** The draft with the account's address, unless the customer has edited it: saving must not restore a former one. */
function withAddress({ shippingDetails }: Account, { values, address }: Draft): Account {
  return isSameAddress(values.shippingDetails, address) ? { ...values, shippingDetails } : values
}
