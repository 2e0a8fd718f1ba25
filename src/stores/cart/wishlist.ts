import { atom, batch, computed } from 'nanostores'
import type { Wish, WishlistItem } from '#contract/wishlist.ts'
import { ApiError } from '#lib/api.ts'
import { storeInTab, takeFromTab, WISHES } from '#lib/session-storage.ts'
import { client } from '../page-client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData, persistentCount } from '../customer-data.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type WishlistLoad =
  { state: 'loading' } | { state: 'ready'; items: WishlistItem[] } | { state: 'failed'; message: string }

/** The customer's last choice for one product, until a loaded wishlist contains it. */
interface Change {
  userId: string
  wish: Wish
  isSaved: boolean
  /** Whether the provider will have the product saved once all sent changes have arrived. */
  isStored: boolean
}

/** The wishlist as last loaded. */
export const $wishlist = atom<WishlistLoad>({ state: 'loading' })

/** Changes by product id, in the order in which they are sent. */
const $changes = atom<ReadonlyMap<string, Change>>(new Map())

/** The wishlist without the products that the customer has removed since it was loaded. */
export const $shownWishlist = computed([$wishlist, $changes], (loaded, changes): WishlistLoad => {
  if (loaded.state !== 'ready') return loaded
  return { ...loaded, items: loaded.items.filter(({ productId }) => changes.get(productId)?.isSaved !== false) }
})

/** How many products are saved. */
export const $wishlistCount = persistentCount('wishlistCount', $wishlist)

/** The ids of the saved products, as far as loaded, with the customer's changes since. */
export const $savedProducts = computed([$wishlist, $changes], (_, changes) => {
  const saved = new Set(items().map(({ productId }) => productId))
  for (const [productId, { isSaved }] of changes) {
    if (isSaved) saved.add(productId)
    else saved.delete(productId)
  }
  return saved
})

/** The product whose change is being sent. */
let sending: string | null = null
let sent: Promise<void> = Promise.resolve()

const data = customerData({
  topic: 'wishlist',
  $store: $wishlist,
  fetch: userId => client.api.getWishlist({ userId }),
  show({ items: loaded, count }) {
    $wishlist.set({ state: 'ready', items: loaded })
    const open = [...$changes.get()].filter(isOpen)
    if (open.length < $changes.get().size) $changes.set(new Map(open))
    $wishlistCount.set(count + $savedProducts.get().size - loaded.length)
  },
  reset() {
    batch(() => {
      $changes.set(new Map())
      $wishlist.set({ state: 'loading' })
    })
    $wishlistCount.set(0)
  },
})

/** Loads the wishlist; concurrent calls share one request. Failures are shown through `$wishlist`. */
export const loadWishlist = data.load

/**
 * Saves a product for the customer: shown at once, sent in the background. For each product, the last click counts. If
 * the provider rejects it, the provider's state is shown again with a message. Does nothing for visitors.
 */
export function addToWishlist(wish: Wish): Promise<void> {
  return setSaved(wish, true)
}

/** Removes a product, in the same way as `addToWishlist` adds one. */
export function removeFromWishlist(productId: string): Promise<void> {
  return setSaved({ productId }, false)
}

/** Saves a product, or removes it if it is already saved. */
export function toggleSaved(wish: Wish): Promise<void> {
  return setSaved(wish, !$savedProducts.get().has(wish.productId))
}

async function setSaved(wish: Wish, isSaved: boolean): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const { productId } = wish
  const isStored = $changes.get().get(productId)?.isStored ?? itemOf(productId) !== undefined
  showChange(productId, { userId: customer.id, wish, isSaved, isStored })
  if (sending === null) sent = sendChanges()
  await sent
}

async function sendChanges(): Promise<void> {
  for (let next = nextChange(); next; next = nextChange()) {
    sending = next.wish.productId
    try {
      await sendChange(next)
    } finally {
      sending = null
    }
  }
}

/** The next change to send, in the order of clicks; only of the customer who is signed in now. */
function nextChange(): Change | undefined {
  const userId = $customer.get()?.id
  return [...$changes.get().values()].find(each => each.userId === userId && each.isSaved !== each.isStored)
}

/**
 * When the page is left, sends all unsent changes without waiting for the responses, and passes those that may not be
 * stored yet to the tab's next page.
 */
function handOverChanges(): void {
  storeInTab(WISHES, [...$changes.get()].filter(isOpen))
  for (let next = nextChange(); next; next = nextChange()) void sendChange(next)
}

/**
 * Shows changes that the tab's last page may not have stored, and sends them again: this page's first load of the list
 * may not include them yet. The count already does.
 */
function resumeChanges(): void {
  const userId = $customer.get()?.id
  const left = (takeFromTab(WISHES) ?? []) as [productId: string, Change][]
  for (const [productId, change] of left) {
    if (change.userId !== userId) continue
    $changes.set(new Map($changes.get()).set(productId, { ...change, isStored: !change.isSaved }))
  }
  if (sending === null) sent = sendChanges()
}

async function sendChange(next: Change): Promise<void> {
  const { userId, wish, isSaved } = next
  const { productId } = wish
  showChange(productId, { ...next, isStored: isSaved })
  let isAccepted = false
  try {
    isAccepted = await data.change(
      async () => {
        const message = isSaved ? await sendAdd(userId, wish) : await sendRemove(productId)
        // After another click, the message would contradict the heart.
        if (message && $changes.get().get(productId)?.isSaved === isSaved) toast('success', message)
      },
      isSaved ? { kind: 'addToWishlist', ...wish } : undefined,
    )
  } finally {
    const change = $changes.get().get(productId)
    if (!isAccepted && change) showChange(productId, { ...change, isSaved: !isSaved, isStored: !isSaved })
  }
}

async function sendAdd(userId: string, wish: Wish): Promise<string> {
  return (await client.api.addToWishlist({ ...wish, userId })).message
}

/** Returns null if the product is no longer on the wishlist. */
async function sendRemove(productId: string): Promise<string | null> {
  try {
    // The item of a product saved just now is not known yet.
    return (await client.api.removeFromWishlist({ itemId: itemOf(productId)?._id ?? productId })).message
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** Shows a change in the hearts and in the count. */
function showChange(productId: string, change: Change): void {
  const before = $savedProducts.get().size
  $changes.set(new Map($changes.get()).set(productId, change))
  // The count may be known from the last page before the list is loaded.
  $wishlistCount.set(Math.max(0, $wishlistCount.get() + $savedProducts.get().size - before))
}

/** Whether a loaded wishlist may not show this change yet. */
function isOpen([productId, { userId, isSaved, isStored }]: [string, Change]): boolean {
  return userId === $customer.get()?.id && (productId === sending || isSaved !== isStored)
}

function items(): WishlistItem[] {
  const shown = $wishlist.get()
  return shown.state === 'ready' ? shown.items : []
}

function itemOf(productId: string): WishlistItem | undefined {
  return items().find(item => item.productId === productId)
}

startInBrowser($wishlist, () => {
  addEventListener('pagehide', handOverChanges)
  resumeChanges()
  return [
    $customer.subscribe(() => void loadWishlist()),
    followChanges('wishlist', data.reload),
    () => removeEventListener('pagehide', handOverChanges),
  ]
})
