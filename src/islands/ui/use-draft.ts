import { useRef, useState } from 'react'
import { readDraft, storeDraft } from '#lib/accounts/drafts.ts'

/** A form's values, stored for its customer on each change, so that they survive reloads and the end of the session. */
export function useDraft<Draft extends object>(name: string, customerId: string, empty: Draft) {
  const [draft, setDraft] = useState<Draft>(() => (readDraft(name, customerId) as Draft | null) ?? empty)

  // A field may change later than the render whose function it calls: a phone number is formatted asynchronously.
  const latest = useRef(draft)

  function changeDraft(change: Partial<Draft>) {
    latest.current = { ...latest.current, ...change }
    setDraft(latest.current)
    storeDraft(name, customerId, latest.current)
  }

  function clearDraft() {
    latest.current = empty
    setDraft(empty)
    storeDraft(name, customerId, null)
  }

  return { draft, changeDraft, clearDraft }
}
