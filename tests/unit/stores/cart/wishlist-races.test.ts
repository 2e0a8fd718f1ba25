import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import {
  $savedProducts,
  $shownWishlist,
  $wishlist,
  $wishlistCount,
  addToWishlist,
  loadWishlist,
  removeFromWishlist,
  toggleSaved,
} from '#stores/cart/wishlist.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
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
    removing = removeFromWishlist('train')
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

  test('comes back to its place', async () => {
    const shown = () => {
      const list = $shownWishlist.get()
      return list.state === 'ready' ? list.items.map(({ productId }) => productId) : list.state
    }
    expect(shown()).toEqual(['kite', 'lamp'])
    await fail()

    expect(shown()).toEqual(['kite', 'train', 'lamp'])
  })

  test('does not come back to a visitor who has signed out in the meantime', async () => {
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

  await removeFromWishlist('dodo')

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
  await removeFromWishlist('train')
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

  expect(shown).toEqual([[], ['ball']])
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

describe('clicks on a heart while an earlier one is being sent', () => {
  let stored: string[]
  let calls: string[]
  let waiting: PromiseWithResolvers<void>[]
  let failure: ApiError | undefined

  /** Holds back the answer to each change until the test releases it. */
  async function changing(call: string, work: () => void): Promise<{ message: string }> {
    calls.push(call)
    const turn = Promise.withResolvers<void>()
    waiting.push(turn)
    await turn.promise
    if (failure) throw failure
    work()
    return { message: call }
  }

  async function answer() {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0))
    waiting.shift()?.resolve()
  }

  beforeEach(async () => {
    stored = ['lamp']
    calls = []
    waiting = []
    failure = undefined
    client.api = fakeApi({
      getWishlist: () => Promise.resolve(wishlistOf(...stored)),
      addToWishlist: ({ productId }) => changing(`add ${productId}`, () => (stored = [productId, ...stored])),
      removeFromWishlist: async ({ itemId }) => ({
        ...(await changing(`remove ${itemId}`, () => (stored = stored.filter(id => `item-${id}` !== itemId)))),
        itemId,
      }),
    })
    await loadWishlist()
    takeToasts()
  })

  test('are shown at once, and the last one counts, with one message', async () => {
    void toggleSaved({ productId: 'kite' })
    expect(saved()).toEqual(['lamp', 'kite'])
    expect($wishlistCount.get()).toBe(2)
    const done = toggleSaved({ productId: 'kite' })
    expect(saved()).toEqual(['lamp'])
    expect($wishlistCount.get()).toBe(1)

    await answer()
    await answer()
    await done
    await loadWishlist()

    expect(calls).toEqual(['add kite', 'remove item-kite'])
    expect([stored, saved(), $wishlistCount.get()]).toEqual([['lamp'], ['lamp'], 1])
    expect(takeToasts().map(({ text }) => text)).toEqual(['remove item-kite'])
  })

  test('send nothing more when the third click asks for the result of the first', async () => {
    void toggleSaved({ productId: 'kite' })
    void toggleSaved({ productId: 'kite' })
    const done = toggleSaved({ productId: 'kite' })
    await answer()
    await done
    await loadWishlist()

    expect(calls).toEqual(['add kite'])
    expect([stored, saved()]).toEqual([
      ['kite', 'lamp'],
      ['kite', 'lamp'],
    ])
  })

  test('on other products are sent after it, in their order', async () => {
    const done = Promise.all([
      addToWishlist({ productId: 'kite' }),
      removeFromWishlist('lamp'),
      addToWishlist({ productId: 'ball' }),
    ])
    expect([calls, saved(), $wishlistCount.get()]).toEqual([['add kite'], ['kite', 'ball'], 2])
    for (let at = 0; at < 3; at += 1) await answer()
    await done

    expect(calls).toEqual(['add kite', 'remove item-lamp', 'add ball'])
    expect(stored).toEqual(['ball', 'kite'])
  })

  test('end with the provider’s state when it rejects the last one', async () => {
    void toggleSaved({ productId: 'kite' })
    const done = toggleSaved({ productId: 'kite' })
    await answer()
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    failure = AWAY
    await answer()
    await done
    await loadWishlist()

    expect([stored, saved(), $wishlistCount.get()]).toEqual([['kite', 'lamp'], ['kite', 'lamp'], 2])
    expect(takeToasts().map(({ text }) => text)).toEqual([AWAY.message])
  })

  test('keep their effect when a list arrives that does not contain it yet', async () => {
    const done = addToWishlist({ productId: 'kite' })
    await loadWishlist()
    expect([saved(), $wishlistCount.get()]).toEqual([['lamp', 'kite'], 2])
    await answer()
    await done
  })

  test('are forgotten when the customer signs out', async () => {
    const done = addToWishlist({ productId: 'kite' })
    void addToWishlist({ productId: 'ball' })
    $customerToken.set(undefined)
    await loadWishlist()
    expect([saved(), $wishlistCount.get()]).toEqual([[], 0])
    await answer()
    await done

    expect(calls).toEqual(['add kite'])
    expect(takeToasts()).toEqual([])
  })
})

test('a product that another tab has removed already is gone without an error', async () => {
  client.api = fakeApi({
    removeFromWishlist: () => Promise.reject(new ApiError(404, 'This is not on your wishlist')),
    getWishlist: () => Promise.resolve(wishlistOf('kite', 'lamp')),
  })
  takeToasts()

  await removeFromWishlist('train')
  await loadWishlist()

  expect(saved()).toEqual(['kite', 'lamp'])
  expect(takeToasts()).toEqual([])
})
