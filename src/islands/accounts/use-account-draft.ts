import { useEffect, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'

const FORM = 'account'

/** The account form's state. Edits are stored in this tab until they are saved or discarded. */
export function useAccountDraft(account: Account, customerId: string) {
  const [left, setLeft] = useState(() => readDraft(FORM, customerId) as Account | null)
  const [values, setValues] = useState(left ?? account)
  const isEdited = useRef(false)
  const lastSaved = useRef<Account>(undefined)

  useEffect(() => {
    if (isEdited.current) storeDraft(FORM, customerId, values)
  }, [customerId, values])

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
