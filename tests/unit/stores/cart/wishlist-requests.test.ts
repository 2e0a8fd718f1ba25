import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import {
  $savedProducts,
  $wishlist,
  $wishlistCount,
  addToWishlist,
  loadWishlist,
  toggleSaved,
} from '#stores/cart/wishlist.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { tokenOf, wishlistItem } from '#tests/support/catalogue/shopping.ts'

const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const saved = () => [...$savedProducts.get()]
const wishlistOf = (...ids: string[]) => ({ items: ids.map(wishlistItem), count: ids.length })

let storage: Map<string, string>
let getWishlist: ReturnType<typeof vi.fn<Api['getWishlist']>>

beforeEach(async () => {
  storage = stubStorage('sessionStorage')
  vi.stubGlobal('dispatchEvent', () => true)
  vi.stubGlobal('location', { pathname: '/', search: '', hash: '', assign: () => undefined })
  vi.stubGlobal('scrollY', 0)
  getWishlist = vi.fn<Api['getWishlist']>(() => Promise.resolve(wishlistOf('kite', 'train', 'lamp')))
  client.api = fakeApi({ getWishlist })
  $customerToken.set(tokenOf('ada'))
  await loadWishlist()
  takeToasts()
})

test('the wishlist is that of the signed-in customer', () => {
  expect(getWishlist).toHaveBeenCalledExactlyOnceWith({ userId: 'ada' })
})

test('a product that is not saved has no full heart while the wishlist is loading', () => {
  $wishlist.set({ state: 'loading' })

  expect(saved()).toEqual([])
})

test('the heart takes the product itself off the list, whatever its place', async () => {
  const remove = vi.fn<Api['removeFromWishlist']>(({ itemId }) =>
    Promise.resolve({ message: 'Removed from wishlist', itemId }),
  )
  getWishlist.mockResolvedValue(wishlistOf('kite', 'lamp'))
  client.api = fakeApi({ getWishlist, removeFromWishlist: remove })

  await toggleSaved({ productId: 'train' })

  expect(remove).toHaveBeenCalledExactlyOnceWith({ itemId: 'item-train' })
  expect(saved()).toEqual(['kite', 'lamp'])
  expect(said()).toEqual(['success: Removed from wishlist'])
})

describe('an added product', () => {
  test('is counted at once, before the list is loaded again; a saved one is not counted twice', async () => {
    const add = vi.fn<Api['addToWishlist']>(() => Promise.resolve({ message: 'Added to wishlist' }))
    const late = Promise.withResolvers<ReturnType<typeof wishlistOf>>()
    client.api = fakeApi({ addToWishlist: add, getWishlist: () => late.promise })

    await addToWishlist({ productId: 'ball' })
    expect($wishlistCount.get()).toBe(4)
    await addToWishlist({ productId: 'kite' })
    expect($wishlistCount.get()).toBe(4)

    expect(add.mock.calls[0]).toEqual([{ productId: 'ball', userId: 'ada' }])
    late.resolve(wishlistOf('ball', 'kite', 'train', 'lamp'))
    await loadWishlist()
    expect($wishlistCount.get()).toBe(4)
  })

  test('waits for the login when the session has ended', async () => {
    client.api = fakeApi({
      addToWishlist: () => {
        $customerToken.set(undefined)
        return Promise.reject(new ApiError(409, 'Please login first', { code: 'INVALID_TOKEN' }))
      },
    })

    await addToWishlist({ productId: 'ball' })

    expect(JSON.parse(storage.get('intent') ?? 'null')).toMatchObject({
      intent: { kind: 'addToWishlist', productId: 'ball' },
    })
  })
})
