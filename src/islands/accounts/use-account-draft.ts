import { useEffect, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { keepDraft, readDraft } from '#lib/accounts/drafts.ts'

const FORM = 'account'

/** What the customer makes of their account; this tab keeps it over a reload until it is saved or discarded. */
export function useAccountDraft(account: Account, customerId: string) {
  const [left, setLeft] = useState(() => readDraft(FORM, customerId) as Account | null)
  const [values, setValues] = useState(left ?? account)
  const isEdited = useRef(false)
  const lastSaved = useRef<Account>(undefined)

  useEffect(() => {
    if (isEdited.current) keepDraft(FORM, customerId, values)
  }, [customerId, values])

  function forget() {
    isEdited.current = false
    keepDraft(FORM, customerId, null)
    setLeft(null)
  }

  return {
    values,
    /** The form began with what was left unsaved before. */
    isLeft: left !== null,
    /** Nothing was changed since the form was last saved, as after a second click. */
    isSaved: () => values === lastSaved.current,
    edit(change: (now: Account) => Account) {
      isEdited.current = true
      setValues(change)
    },
    /** What was typed while the form was on its way stays. */
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
