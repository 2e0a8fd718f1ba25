import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { $savedProducts, $wishlist, $wishlistCount, loadWishlist, removeFromWishlist } from '#stores/cart/wishlist.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf, wishlistItem } from '#tests/support/catalogue/shopping.ts'

const AWAY = new ApiError(503, 'The marketplace cannot be reached right now')
const saved = () => [...$savedProducts.get()]
const wishlistOf = (...ids: string[]) => ({ items: ids.map(wishlistItem), count: ids.length })

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  client.api = fakeApi({ getWishlist: () => Promise.resolve(wishlistOf('kite', 'train', 'lamp')) })
  $customerToken.set(tokenOf('ada'))
  await loadWishlist()
})

describe('an item whose removal fails', () => {
  let failing: PromiseWithResolvers<Awaited<ReturnType<Api['removeFromWishlist']>>>
  let removing: Promise<void>

  beforeEach(() => {
    failing = Promise.withResolvers()
    client.api = fakeApi({
      removeFromWishlist: () => failing.promise,
      getWishlist: () => Promise.resolve(wishlistOf('kite', 'train', 'lamp')),
    })
    removing = removeFromWishlist('item-train')
  })

  async function fail() {
    client.api = fakeApi({ getWishlist: () => Promise.reject(AWAY) })
    failing.reject(AWAY)
    await removing
  }

  test('comes back once, though a newer list contains it', async () => {
    await loadWishlist()
    await fail()

    expect(saved()).toEqual(['kite', 'train', 'lamp'])
    expect($wishlistCount.get()).toBe(3)
  })

  test('comes back to its place, though others were removed meanwhile', async () => {
    $wishlist.set({ state: 'ready', items: [] })
    await fail()

    expect(saved()).toEqual(['train'])
  })

  test('does not come back to a visitor who has signed out meanwhile', async () => {
    $customerToken.set(undefined)
    await loadWishlist()
    await fail()

    expect($wishlist.get()).toEqual({ state: 'loading' })
    expect($wishlistCount.get()).toBe(0)
  })
})

test('an item that is not on the list does not appear when its removal fails', async () => {
  client.api = fakeApi({
    removeFromWishlist: () => Promise.reject(AWAY),
    getWishlist: () => Promise.reject(AWAY),
  })

  await removeFromWishlist('item-dodo')

  expect(saved()).toEqual(['kite', 'train', 'lamp'])
  expect($wishlistCount.get()).toBe(3)
})

test('a list requested before a removal does not bring the item back', async () => {
  const late = Promise.withResolvers<ReturnType<typeof wishlistOf>>()
  const getWishlist = vi.fn<Api['getWishlist']>(() => Promise.resolve(wishlistOf('kite', 'lamp')))
  client.api = fakeApi({
    getWishlist: getWishlist.mockReturnValueOnce(late.promise),
    removeFromWishlist: ({ itemId }) => Promise.resolve({ message: '', itemId }),
  })
  const loading = loadWishlist()
  await removeFromWishlist('item-train')
  const shown: string[][] = []
  const stop = $savedProducts.listen(ids => shown.push([...ids]))

  late.resolve(wishlistOf('kite', 'train', 'lamp'))
  await loading
  stop()

  expect(shown.flat()).not.toContain('train')
  expect(saved()).toEqual(['kite', 'lamp'])
  expect(getWishlist).toHaveBeenCalledTimes(2)
})

test('the list of a customer who signs out while it loads is not shown to the next one', async () => {
  const late = Promise.withResolvers<ReturnType<typeof wishlistOf>>()
  const getWishlist = vi.fn<Api['getWishlist']>(() => Promise.resolve(wishlistOf('ball')))
  client.api = fakeApi({ getWishlist: getWishlist.mockReturnValueOnce(late.promise) })
  const loading = loadWishlist()
  $customerToken.set(tokenOf('grace'))
  const shown: string[][] = []
  const stop = $savedProducts.listen(ids => shown.push([...ids]))

  late.resolve(wishlistOf('kite'))
  expect(await loading).toBe(true)
  stop()

  expect(shown).toEqual([['ball']])
  expect(getWishlist.mock.calls).toEqual([[{ userId: 'ada' }], [{ userId: 'grace' }]])
})

test('the list of a customer who signs out while it loads is not shown to the visitor', async () => {
  const late = Promise.withResolvers<ReturnType<typeof wishlistOf>>()
  client.api = fakeApi({ getWishlist: () => late.promise })
  const loading = loadWishlist()
  $customerToken.set(undefined)

  late.resolve(wishlistOf('kite'))

  expect(await loading).toBe(true)
  expect($wishlist.get()).toEqual({ state: 'loading' })
})
