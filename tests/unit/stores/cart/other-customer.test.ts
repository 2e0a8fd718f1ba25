import { beforeEach, expect, test } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $savedProducts, $wishlist, $wishlistCount, loadWishlist } from '#stores/cart/wishlist.ts'
import { client } from '#stores/client.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf, wishlistItem } from '#tests/support/catalogue/shopping.ts'

const saved = () => [...$savedProducts.get()]
const away = () => Promise.reject(new ApiError(503, 'Try again in a moment'))

beforeEach(async () => {
  $customerToken.set(tokenOf('ada'))
  client.api = fakeApi({ getWishlist: () => Promise.resolve({ items: [wishlistItem('train')], count: 1 }) })
  await loadWishlist()
})

test('the hearts of the customer before are gone before those of the next customer are loaded', async () => {
  const answer = Promise.withResolvers<Awaited<ReturnType<Api['getWishlist']>>>()
  client.api = fakeApi({ getWishlist: () => answer.promise })
  expect(saved()).toEqual(['train'])
  $customerToken.set(tokenOf('eve', 'Eve'))

  const loading = loadWishlist()

  expect(saved()).toEqual([])
  expect($wishlistCount.get()).toBe(0)
  answer.resolve({ items: [wishlistItem('kite')], count: 1 })
  await loading
  expect(saved()).toEqual(['kite'])
})

test('the hearts of the customer before do not stay when those of the next customer cannot be loaded', async () => {
  client.api = fakeApi({ getWishlist: away })
  $customerToken.set(tokenOf('eve', 'Eve'))

  await loadWishlist()

  expect(saved()).toEqual([])
  expect($wishlist.get()).toMatchObject({ state: 'failed' })
})

test('the hearts of a customer stay when they cannot be loaded again', async () => {
  client.api = fakeApi({ getWishlist: away })

  await loadWishlist()

  expect(saved()).toEqual(['train'])
})
