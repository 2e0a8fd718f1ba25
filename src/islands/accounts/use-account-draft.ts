import { useEffect, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'

const FORM = 'account'

interface Draft {
  values: Account
  /** The default address when the values were edited. */
  address: Account['shippingDetails']
}

/** The account form's state. Edits are stored in this tab until they are saved or discarded. */
export function useAccountDraft(account: Account, customerId: string) {
  const [left, setLeft] = useState(() => readLeft(account, customerId))
  const [values, setValues] = useState(left ?? account)
  const isEdited = useRef(false)
  const lastSaved = useRef<Account>(undefined)

  useEffect(() => {
    if (isEdited.current) storeDraft(FORM, customerId, { values, address: account.shippingDetails } satisfies Draft)
  }, [account, customerId, values])

  function forget() {
    isEdited.current = false
    storeDraft(FORM, customerId, null)
    setLeft(null)
  }

  return {
    values,
    /** The form started with unsaved edits from before. */
    isLeft: left !== null,
    /** Whether nothing was changed since the last save, for example at a second click. */
    isSaved: () => values === lastSaved.current,
    edit(change: (now: Account) => Account) {
      isEdited.current = true
      setValues(change)
    },
    /** Marks the form as saved. Edits made while it was being sent stay. */
    settle(saved: Account) {
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

/** Unsaved edits from before. They do not bring back a default address that was replaced since. */
function readLeft(account: Account, customerId: string): Account | null {
  const draft = readDraft(FORM, customerId) as Partial<Draft> | null
  if (!draft?.values) return null
  const isSame = JSON.stringify(draft.address) === JSON.stringify(account.shippingDetails)
  return isSame ? draft.values : { ...draft.values, shippingDetails: account.shippingDetails }
}
