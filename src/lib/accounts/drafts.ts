import { DRAFTS, keepForTab, readFromTab } from '../session-storage.ts'

interface Draft {
  customerId: string
  values: object
}

/**
 * Keeps what a customer has typed into a form and not sent yet: it is there again after a reload, and after a login when
 * the session has ended in between. `null` when it was sent.
 */
export function keepDraft(form: string, customerId: string, values: object | null): void {
  const { [form]: _, ...others } = drafts()
  keepForTab(DRAFTS, values ? { ...others, [form]: { customerId, values } } : others)
}

/** What this customer has typed into the form; null for nothing, and for what somebody else has. */
export function readDraft(form: string, customerId: string): unknown {
  const draft = drafts()[form]
  return draft?.customerId === customerId ? draft.values : null
}

function drafts(): Record<string, Draft | undefined> {
  return (readFromTab(DRAFTS) ?? {}) as Record<string, Draft | undefined>
}
