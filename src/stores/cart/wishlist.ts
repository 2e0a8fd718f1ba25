import { atom, computed } from 'nanostores'
import type { Wish, WishlistItem } from '#contract/wishlist.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData, persistentCount } from '../customer-data.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type WishlistLoad =
  { state: 'loading' } | { state: 'ready'; items: WishlistItem[] } | { state: 'failed'; message: string }

export const $wishlist = atom<WishlistLoad>({ state: 'loading' })

/** How many products are saved. */
export const $wishlistCount = persistentCount('wishlistCount', $wishlist)

/** The ids of the saved products, as far as loaded. */
export const $savedProducts = computed(
  $wishlist,
  shown => new Set(shown.state === 'ready' ? shown.items.map(({ productId }) => productId) : []),
)

const data = customerData({
  topic: 'wishlist',
  $store: $wishlist,
  fetch: userId => client.api.getWishlist({ userId }),
  show({ items, count }) {
    $wishlist.set({ state: 'ready', items })
    $wishlistCount.set(count)
  },
  reset() {
    $wishlist.set({ state: 'loading' })
    $wishlistCount.set(0)
  },
})

/** Loads the wishlist; concurrent calls share one request. Failures are shown through `$wishlist`. */
export const loadWishlist = data.load

/** Saves a product for the customer and shows the outcome in a toast. Does nothing for visitors. */
export async function addToWishlist(wish: Wish): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  await data.change(
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
  const isTaken = await data.change(async () => {
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
  data.invalidate()
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

startInBrowser($wishlist, () => [
  $customer.subscribe(() => void loadWishlist()),
  followChanges('wishlist', data.reload),
])
