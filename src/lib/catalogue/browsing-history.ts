import { decodeCustomer, readToken } from '../accounts/storage.ts'

interface History {
  /** Empty for a visitor. */
  customerId: string
  entries: unknown[]
}

/**
 * The entries stored in this browser that `isEntry` accepts, newest first. Empty if they belong to another customer.
 */
export function readHistory<Entry>(key: string, isEntry: (entry: unknown) => entry is Entry): Entry[] {
  try {
    const { customerId, entries } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<History>
    if (!Array.isArray(entries) || (customerId && customerId !== currentId())) return []
    return entries.filter(isEntry)
  } catch {
    // Storage is forbidden, or holds something that this code did not write.
    return []
  }
}

/** Stores the entries for the current customer or visitor. Does nothing if storage is not available. */
export function storeHistory(key: string, entries: unknown[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify({ customerId: currentId(), entries } satisfies History))
  } catch {
    // Storage is forbidden or full.
  }
}

function currentId(): string {
  return decodeCustomer(readToken())?.id ?? ''
}
