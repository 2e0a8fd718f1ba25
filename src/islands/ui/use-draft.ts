import { useState } from 'react'
import { readDraft, storeDraft } from '#lib/accounts/drafts.ts'

/** A form's values, stored for its customer on each change, so that they survive reloads and the end of the session. */
export function useDraft<Draft extends object>(name: string, customerId: string, empty: Draft) {
  const [draft, setDraft] = useState<Draft>(() => (readDraft(name, customerId) as Draft | null) ?? empty)

  function changeDraft(change: Partial<Draft>) {
    const changed = { ...draft, ...change }
    setDraft(changed)
    storeDraft(name, customerId, changed)
  }

  function clearDraft() {
    setDraft(empty)
    storeDraft(name, customerId, null)
  }

  return { draft, changeDraft, clearDraft }
}
