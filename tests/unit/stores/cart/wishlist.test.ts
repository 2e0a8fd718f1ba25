import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import {
  $savedProducts,
  $wishlist,
  $wishlistCount,
  addToWishlist,
  loadWishlist,
  removeFromWishlist,
  toggleSaved,
} from '#stores/cart/wishlist.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf, wishlistItem } from '#tests/support/catalogue/shopping.ts'

const said = () => $toasts.get().map(({ kind, text }) => `${kind}: ${text}`)
const saved = () => [...$savedProducts.get()]

let stored: string[]

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  stored = ['train']
  client.api = fakeApi({
    getWishlist: () => Promise.resolve({ items: stored.map(wishlistItem), count: stored.length }),
    async addToWishlist({ productId }) {
      stored = [...new Set([productId, ...stored])]
      return { message: 'Added to wishlist' }
    },
    async removeFromWishlist({ itemId }) {
      stored = stored.filter(id => wishlistItem(id)._id !== itemId)
      return { message: 'Removed from wishlist', itemId }
    },
  })
  $customerToken.set(tokenOf('ada'))
  await loadWishlist()
  $toasts.set([])
})

test('each added product raises the wishlist count by one', async () => {
  stored = []
  await loadWishlist()
  expect($wishlistCount.get()).toBe(0)

  await addToWishlist({ productId: 'kite' })
  expect($wishlistCount.get()).toBe(1)
  await addToWishlist({ productId: 'lamp' })
  expect($wishlistCount.get()).toBe(2)

  expect(said()).toEqual(['success: Added to wishlist', 'success: Added to wishlist'])
})

test('adding a saved product again changes nothing', async () => {
  await addToWishlist({ productId: 'train' })

  expect($wishlistCount.get()).toBe(1)
})

test('a rejected product shows the error and changes nothing', async () => {
  client.api = fakeApi({
    addToWishlist: () => Promise.reject(new ApiError(422, 'Your wishlist is full')),
    getWishlist: () => Promise.resolve({ items: stored.map(wishlistItem), count: 1 }),
  })

  await addToWishlist({ productId: 'kite' })

  expect($wishlistCount.get()).toBe(1)
  expect(said()).toEqual(['error: Your wishlist is full'])
})

test('removing takes the item off the list and lowers the count by one', async () => {
  stored = ['kite', 'train']
  await loadWishlist()

  await removeFromWishlist('train')

  expect(saved()).toEqual(['kite'])
  expect($wishlistCount.get()).toBe(1)
})

test('a rejected removal brings the item back', async () => {
  client.api = fakeApi({
    removeFromWishlist: () => Promise.reject(new ApiError(503, 'Try again in a moment')),
    getWishlist: () => Promise.resolve({ items: stored.map(wishlistItem), count: 1 }),
  })

  const removed = removeFromWishlist('train')
  expect(saved()).toEqual([])
  await removed
  await loadWishlist()

  expect(saved()).toEqual(['train'])
  expect(said()).toEqual(['error: Try again in a moment'])
})

test('a failed removal brings the item back to its place when the list cannot be loaded again', async () => {
  stored = ['kite', 'train', 'lamp']
  await loadWishlist()
  const away = () => Promise.reject(new ApiError(0, 'Away'))
  client.api = fakeApi({ removeFromWishlist: away, getWishlist: away })

  await removeFromWishlist('train')

  expect(saved()).toEqual(['kite', 'train', 'lamp'])
  expect($wishlistCount.get()).toBe(3)
})

test('toggling the heart saves and removes the product', async () => {
  await toggleSaved({ productId: 'train' })
  expect(saved()).toEqual([])

  await toggleSaved({ productId: 'train' })
  await loadWishlist()
  expect(saved()).toEqual(['train'])
})

test('loading replaces the list and the count by the server’s', async () => {
  stored = ['a', 'b', 'c']
  await loadWishlist()

  expect(saved()).toEqual(['a', 'b', 'c'])
  expect($wishlistCount.get()).toBe(3)
})

test('signing out clears the list and its count', async () => {
  $customerToken.set(undefined)
  await loadWishlist()

  expect($wishlist.get()).toEqual({ state: 'loading' })
  expect($wishlistCount.get()).toBe(0)
})
