import { persistentAtom } from '@nanostores/persistent'
import { atom, type Store } from 'nanostores'
import type { Account } from '#contract/account.ts'
import { ApiError } from '#lib/api.ts'
import type { Intent } from '#lib/accounts/intent.ts'
import { $customer, leadToLogin } from './accounts/session.ts'
import { client } from './page-client.ts'
import { notifyOtherTabs, type Topic } from './cross-tab-sync.ts'
import { responsesInOrder } from './responses-in-order.ts'
import { startInBrowser } from './start.ts'
import { toast } from './ui/toasts.ts'

interface Options<T> {
  topic: Topic
  $store: { get(): { state: string }; set(failed: { state: 'failed'; message: string }): void }
  fetch: (userId: string) => Promise<T>
  show: (value: T) => void
  /** Empties the store after a logout, and before another customer's data is loaded. */
  reset: () => void
  /** Shown instead of the error's own message. */
  failure?: string
}

/** Loads data of the signed-in customer into a store, and reloads it after the customer's changes. */
export function customerData<T>({ topic, $store, fetch, show, reset, failure }: Options<T>) {
  let changeCount = 0
  let loading: Promise<boolean> | undefined
  /** The id of the customer whose data was loaded last on this page. */
  let ownerId: string | undefined

  /** Empties the store if it may hold the data of another customer. */
  function forgetOther(): void {
    const id = $customer.get()?.id
    if (ownerId !== undefined && ownerId !== id) reset()
    ownerId = id
  }

  async function readCustomerData(): Promise<boolean> {
    forgetOther()
    const customer = $customer.get()
    if (!customer) {
      reset()
      return true
    }
    const before = changeCount
    try {
      const value = await fetch(customer.id)
      if ($customer.get()?.id !== customer.id || before !== changeCount) return await readCustomerData()
      show(value)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The request may have failed because the session ended.
      if ($customer.get()?.id !== customer.id) return await readCustomerData()
      // Keep showing the loaded data instead of the error.
      if ($store.get().state !== 'ready') $store.set({ state: 'failed', message: failure ?? error.message })
      return false
    }
  }

  /** Loads the data; concurrent calls share one request. Returns false on failure. */
  function load(): Promise<boolean> {
    forgetOther()
    loading ??= readCustomerData().finally(() => (loading = undefined))
    return loading
  }

  /** Discards responses that were requested before now. */
  function invalidate(): void {
    changeCount += 1
  }

  function reload(): void {
    invalidate()
    void load()
  }

  /** Reloads the data in all tabs. */
  function reloadEverywhere(): void {
    notifyOtherTabs(topic)
    reload()
  }

  /** Runs `work`, shows errors in a toast, then reloads everywhere. If the session has ended, stores `intent`. */
  async function change(work: () => Promise<void>, intent?: Intent): Promise<boolean> {
    invalidate()
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!leadToLogin(error, intent)) toast('error', error.message)
      return false
    } finally {
      reloadEverywhere()
    }
  }

  return { load, invalidate, reload, reloadEverywhere, change }
}

/** A count that is persisted, so that the next page shows its badge at once. Its listeners also mount `$source`. */
export function persistentCount(key: string, $source: Store) {
  const $count = persistentAtom<number>(key, 0, { encode: String, decode: Number })
  startInBrowser($count, () => [$source.listen(() => undefined)])
  return $count
}

/**
 * A store with one value from the customer's account, and its loader. The value is undefined until loaded, and
 * `fallback` if it cannot be loaded. Failures are not reported.
 */
export function accountPart<T>(pick: (account: Account) => T, fallback: T) {
  const $part = atom<T | undefined>(undefined)
  const startLoad = responsesInOrder()

  async function load(): Promise<void> {
    const customer = $customer.get()
    if (!customer) return
    const isNewest = startLoad()
    try {
      const part = pick(await client.api.getAccount({}))
      if ($customer.get() === customer && isNewest()) $part.set(part)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if ($customer.get() === customer && $part.get() === undefined) $part.set(fallback)
    }
  }

  startInBrowser($part, () => [
    $customer.subscribe(() => {
      $part.set(undefined)
      void load()
    }),
  ])
  return [$part, load] as const
}
