import { DRAFTS, storeInTab, readFromTab } from '../session-storage.ts'

interface Draft {
  customerId: string
  values: object
}

/**
 * Stores the values of a form that a customer has not sent yet, so that they survive a reload and a new login after the
 * session ended. `null` deletes them.
 */
export function storeDraft(form: string, customerId: string, values: object | null): void {
  const { [form]: _, ...others } = drafts()
  storeInTab(DRAFTS, values ? { ...others, [form]: { customerId, values } } : others)
}

/** This customer's draft of the form; null if there is none, or if it belongs to another customer. */
export function readDraft(form: string, customerId: string): unknown {
  const draft = drafts()[form]
  return draft?.customerId === customerId ? draft.values : null
}

/** The rest of the name of this customer's draft of a form whose name begins with `prefix`; null if there is none. */
export function findDraft(prefix: string, customerId: string): string | null {
  const form = Object.keys(drafts()).find(name => name.startsWith(prefix) && readDraft(name, customerId))
  return form?.slice(prefix.length) ?? null
}

function drafts(): Record<string, Draft | undefined> {
  return (readFromTab(DRAFTS) ?? {}) as Record<string, Draft | undefined>
}
