import { cleanStores } from 'nanostores'
import { expect, test, vi } from 'vitest'
import { $wishlist, addToWishlist, loadWishlist, removeFromWishlist } from '#stores/cart/wishlist.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf, wishlistItem } from '#tests/support/catalogue/shopping.ts'

test('the last click on a heart is sent when the page is left before the first one is answered', async () => {
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const sent: string[] = []
  const never = new Promise<never>(() => undefined)
  const keep = (call: string) => {
    sent.push(call)
    return never
  }
  client.api = fakeApi({
    getWishlist: () => Promise.resolve({ items: [wishlistItem('lamp')], count: 1 }),
    addToWishlist: ({ productId }) => keep(`add ${productId}`),
    removeFromWishlist: ({ itemId }) => keep(`remove ${itemId}`),
  })
  $customerToken.set(tokenOf('ada'))
  $wishlist.listen(() => undefined)
  await loadWishlist()

  void addToWishlist({ productId: 'kite' })
  void removeFromWishlist('kite')
  void removeFromWishlist('lamp')
  expect(sent).toEqual(['add kite'])
  page.dispatchEvent(new Event('pagehide'))

  expect(sent).toEqual(['add kite', 'remove kite', 'remove item-lamp'])
  page.dispatchEvent(new Event('pagehide'))
  expect(sent).toHaveLength(3)
  // Unmounts the store now. On its own it would a second later, when the stubbed page is gone.
  cleanStores($wishlist)
})
