import { atom } from 'nanostores'
import { $customer } from './accounts/session.ts'
import { followChanges, type Topic } from './cross-tab-sync.ts'
import { customerData } from './customer-data.ts'
import type { Load } from './load.ts'
import { startInBrowser } from './start.ts'

/**
 * A store with data of the signed-in customer. While it is mounted, the data is loaded at each login, and when `follow`
 * says so.
 */
export function customerStore<T>(topic: Topic, fetch: (userId: string) => Promise<T>, follow = followChanges) {
  const $store = atom<Load<T>>({ state: 'loading' })
  const data = customerData({
    topic,
    $store,
    fetch,
    show: value => $store.set({ state: 'ready', value }),
    reset: () => $store.set({ state: 'loading' }),
  })
  startInBrowser($store, () => [$customer.subscribe(() => void data.load()), follow(topic, data.reload)])
  return { $store, ...data }
}
