import type { WritableAtom } from 'nanostores'
import { ApiError } from '#lib/api.ts'

/** What is asked of the provider; `missing` is what does not exist or is not the customer's. */
export type Load<T> =
  { state: 'loading' } | { state: 'ready'; value: T } | { state: 'missing' } | { state: 'failed'; message: string }

const turns = new WeakMap<object, number>()

/**
 * Puts what `ask` answers on the store, unless it was asked for something else in the meantime. A failure is shown only
 * where nothing else is.
 */
export async function loadInto<T>($store: WritableAtom<Load<T>>, ask: () => Promise<T>): Promise<void> {
  const turn = (turns.get($store) ?? 0) + 1
  turns.set($store, turn)
  const answer = await ask().then(
    (value): Load<T> => ({ state: 'ready', value }),
    (error: unknown) => failure<T>(error),
  )
  if (turns.get($store) !== turn) return
  if (answer.state === 'failed' && $store.get().state === 'ready') return
  $store.set(answer)
}

/** Forgets what the store shows and what is on its way to it. */
export function clear<T>($store: WritableAtom<Load<T>>): void {
  turns.set($store, (turns.get($store) ?? 0) + 1)
  $store.set({ state: 'loading' })
}

function failure<T>(error: unknown): Load<T> {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 404 || error.status === 400) return { state: 'missing' }
  return { state: 'failed', message: error.message }
}
