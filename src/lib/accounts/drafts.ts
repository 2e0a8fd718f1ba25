import { DRAFTS, keepForTab, readFromTab } from '../session-storage.ts'

interface Draft {
  customerId: string
  values: object
}

/**
 * Stores what a customer has typed into a form but not sent, so that it survives a reload and a new login after the
 * session ended. `null` deletes it.
 */
export function keepDraft(form: string, customerId: string, values: object | null): void {
  const { [form]: _, ...others } = drafts()
  keepForTab(DRAFTS, values ? { ...others, [form]: { customerId, values } } : others)
}

/** What this customer has typed into the form; null if nothing or if it belongs to another customer. */
export function readDraft(form: string, customerId: string): unknown {
  const draft = drafts()[form]
  return draft?.customerId === customerId ? draft.values : null
}

function drafts(): Record<string, Draft | undefined> {
  return (readFromTab(DRAFTS) ?? {}) as Record<string, Draft | undefined>
}
