import { useEffect, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { storeDraft, readDraft } from '#lib/accounts/drafts.ts'
import { isSameAddress } from '#lib/accounts/same-address.ts'

const FORM = 'account'

type Address = Account['shippingDetails']

interface Draft {
  values: Account
  /** The account when the values were edited. */
  base: Account
}

/** The account form's state. Edits are stored in this tab until they are saved or discarded. */
export function useAccountDraft(account: Account, customerId: string) {
  const [restored, setRestored] = useState(() => readRestored(account, customerId))
  const [values, setValues] = useState(restored ?? account)
  const [base, setBase] = useState(account)
  const isEdited = useRef(false)
  const lastSaved = useRef<Account>(undefined)
  /** The address that is being saved. */
  const [sent, setSent] = useState<Address>()

  // Another form, tab or device has changed the account, or this form was saved.
  if (!isSame(account, base)) {
    setBase(account)
    setValues(rebased(account, { values, base }, sent))
  }

  useEffect(() => {
    if (isEdited.current) storeDraft(FORM, customerId, { values, base } satisfies Draft)
  }, [base, customerId, values])

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
    setSent,
    edit(change: (now: Account) => Account) {
      isEdited.current = true
      setValues(change)
    },
    /** Marks the form as saved. Edits made while it was being sent stay. */
    markSaved(saved: Account) {
      forget()
      setSent(undefined)
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
  const values = draft?.values && draft.base ? rebased(account, draft as Draft) : account
  return isSame(values, account) ? null : values
}

/**
 * The draft, with unedited fields updated from the account, so that saving does not restore old values. If the
 * account's address has changed to one that was not `sent` from here, such as a new default, edits of the former
 * address are dropped: saving them would overwrite it.
 */
function rebased(account: Account, { values, base }: Draft, sent?: Address): Account {
  const { country, currency, shippingDetails } = values
  const next = {
    ...values,
    country: country === base.country ? account.country : country,
    currency: currency === base.currency ? account.currency : currency,
    shippingDetails: [base.shippingDetails, sent].some(known => isSameAddress(account.shippingDetails, known))
      ? shippingDetails
      : account.shippingDetails,
  }
  return isSame(next, values) ? values : next
}

function isSame(one: Account, other: Account): boolean {
  const isSameCountry = one.country === other.country && one.currency === other.currency
  return isSameCountry && isSameAddress(one.shippingDetails, other.shippingDetails)
}
