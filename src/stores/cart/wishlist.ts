import { persistentAtom } from '@nanostores/persistent'
import { atom, computed } from 'nanostores'
import type { Wish, WishlistItem } from '#contract/wishlist.ts'
import { ApiError } from '#lib/api.ts'
import type { Intent } from '#lib/accounts/intent.ts'
import { client } from '../client.ts'
import { followChanges, tellOtherTabs } from '../cross-tab-sync.ts'
import { $customer, leadToLogin } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type WishlistLoad =
  { state: 'loading' } | { state: 'ready'; items: WishlistItem[] } | { state: 'failed'; message: string }

export const $wishlist = atom<WishlistLoad>({ state: 'loading' })

/** How many products are saved. Persisted so that the badge is right at once on the next page. */
export const $wishlistCount = persistentAtom<number>('wishlistCount', 0, { encode: String, decode: Number })

/** The ids of the saved products, as far as loaded. */
export const $savedProducts = computed(
  $wishlist,
  shown => new Set(shown.state === 'ready' ? shown.items.map(({ productId }) => productId) : []),
)

/** Incremented by each change, so that a response requested before it is discarded. */
let changes = 0
let loading: Promise<void> | undefined

/** Loads the wishlist; concurrent calls share one request. Failures are shown through `$wishlist`. */
export function loadWishlist(): Promise<void> {
  loading ??= load().finally(() => (loading = undefined))
  return loading
}

async function load(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return reset()
  const asked = changes
  try {
    const answer = await client.api.getWishlist({ userId: customer.id })
    if ($customer.get()?.id !== customer.id) return await load()
    if (asked !== changes) return await load()
    $wishlist.set({ state: 'ready', items: answer.items })
    $wishlistCount.set(answer.count)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The request may have failed because the session ended.
    if ($customer.get()?.id !== customer.id) return await load()
    // Keep showing the loaded list instead of the error.
    if ($wishlist.get().state !== 'ready') $wishlist.set({ state: 'failed', message: error.message })
  }
}

function reset(): void {
  $wishlist.set({ state: 'loading' })
  $wishlistCount.set(0)
}

/** Saves a product for the customer and shows the outcome in a toast. Does nothing for visitors. */
export async function addToWishlist(wish: Wish): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  await act(
    async () => {
      const { message } = await client.api.addToWishlist({ ...wish, userId: customer.id })
      const isNew = !$savedProducts.get().has(wish.productId)
      $wishlistCount.set($wishlistCount.get() + (isNew ? 1 : 0))
      toast('success', message)
    },
    { kind: 'addToWishlist', ...wish },
  )
}

/** Removes an item at once; puts it back if the provider rejects it. */
export async function removeFromWishlist(itemId: string): Promise<void> {
  const before = items()
  drop(itemId)
  const isTaken = await act(async () => {
    const answer = await client.api.removeFromWishlist({ itemId })
    drop(answer.itemId)
    toast('success', answer.message)
  })
  if (!isTaken) restore(itemId, before)
}

/** Saves a product, or removes it if it is already saved. */
export async function toggleSaved(wish: Wish): Promise<void> {
  const item = items().find(({ productId }) => productId === wish.productId)
  if (item) await removeFromWishlist(item._id)
  else await addToWishlist(wish)
}

function drop(itemId: string): void {
  const left = items().filter(({ _id }) => _id !== itemId)
  if (left.length === items().length) return
  changes += 1
  $wishlist.set({ state: 'ready', items: left })
  $wishlistCount.set(Math.max(0, $wishlistCount.get() - 1))
}

/** Puts the item back without the provider, which may be unreachable. */
function restore(itemId: string, before: WishlistItem[]): void {
  const at = before.findIndex(({ _id }) => _id === itemId)
  const item = before[at]
  if (!item || $wishlist.get().state !== 'ready' || items().some(({ _id }) => _id === itemId)) return
  $wishlist.set({ state: 'ready', items: items().toSpliced(at, 0, item) })
  $wishlistCount.set($wishlistCount.get() + 1)
}

function items(): WishlistItem[] {
  const shown = $wishlist.get()
  return shown.state === 'ready' ? shown.items : []
}

/** Runs `work`, shows errors in a toast, then reloads the list. If the session has ended, stores `intent`. */
async function act(work: () => Promise<void>, intent?: Intent): Promise<boolean> {
  changes += 1
  try {
    await work()
    tellOtherTabs('wishlist')
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!leadToLogin(error, intent)) toast('error', error.message)
    return false
  } finally {
    askAgain()
  }
}

function askAgain(): void {
  changes += 1
  void loadWishlist()
}

function follow(): () => void {
  const stopSession = $customer.subscribe(() => void loadWishlist())
  const stopNews = followChanges('wishlist', askAgain)
  return () => {
    stopSession()
    stopNews()
  }
}

startInBrowser($wishlist, follow)
startInBrowser($wishlistCount, () => $wishlist.listen(() => undefined))
