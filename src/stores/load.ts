import type { WritableAtom } from 'nanostores'
import { ApiError } from '#lib/api.ts'

/**
 * Data loaded from the provider. `missing`: it does not exist or does not belong to the customer. Load a customer's own
 * data by `customerStore`, a part of the account by `accountPart`, everything else by `loadInto`.
 */
export type Load<T> =
  { state: 'loading' } | { state: 'ready'; value: T } | { state: 'missing' } | { state: 'failed'; message: string }

const turns = new WeakMap<object, number>()

/** Stores the result of `fetch`, unless a newer load has started. A failure is stored only if there is no value yet. */
export async function loadInto<T>($store: WritableAtom<Load<T>>, fetch: () => Promise<T>): Promise<void> {
  const turn = (turns.get($store) ?? 0) + 1
  turns.set($store, turn)
  const loaded = await fetch().then(
    (value): Load<T> => ({ state: 'ready', value }),
    (error: unknown) => failure<T>(error),
  )
  if (turns.get($store) !== turn) return
  if (loaded.state === 'failed' && $store.get().state === 'ready') return
  $store.set(loaded)
}

/** Empties the store and discards loads in progress. */
export function clear<T>($store: WritableAtom<Load<T>>): void {
  turns.set($store, (turns.get($store) ?? 0) + 1)
  $store.set({ state: 'loading' })
}

function failure<T>(error: unknown): Load<T> {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 404 || error.status === 400) return { state: 'missing' }
  return { state: 'failed', message: error.message }
}
