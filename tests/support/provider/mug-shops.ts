import type { ReturnKind } from '#contract/returns.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { addSeller } from '../catalogue/catalogue.ts'
import { lettersSent } from './letters.ts'
import { addShippable, orderOf, payInSandbox } from './ordering.ts'
import type { Customer, startProvider } from './provider.ts'

/** Lets customers buy from shops that have email addresses. */
export function openMugShops(shop: Awaited<ReturnType<typeof startProvider>>) {
  const { db, jobs, letters } = shop
  let shopCount = 0

  /** A customer's paid order of three mugs of a shop; the shop has an email address unless `email` is null. */
  async function buyMugs(ada: Customer, { email, priceCents = 1999 }: { email?: null; priceCents?: number } = {}) {
    shopCount += 1
    const key = `clay-${shopCount}`
    const address = `${key}@shops.test`
    const { id: sellerId } = await addSeller(db, { key, shopName: 'Clay', email: email === null ? undefined : address })
    const shippingPrices = { Kenya: priceCents === 0 ? 0 : 500 }
    const mug = await addShippable(db, {
      sellerId,
      shopName: 'Clay',
      name: 'Mug',
      slug: key,
      sku: 'MUG-7',
      priceCents,
      shippingPrices,
    })
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }]))
    if (priceCents > 0) await payInSandbox(shop.request, ada, orderId)
    const mailedTo = async (to: string) => {
      await lettersSent(db)
      return letters.filter(letter => letter.to === to)
    }
    const toShop = async () =>
      (await mailedTo(address)).filter(({ subject }) => !subject.startsWith('You have an order to ship'))
    return {
      orderId,
      ask: async (kind: ReturnKind, quantity = 2) => {
        const { available } = await ada.api.getReturns({ orderId })
        const { sellerOrderId, lines } = available[0]!
        const about = { sellerOrderId, lines: [{ lineId: lines[0]!.lineId, quantity }] }
        await ada.api.requestReturn({ orderId, kind, reason: 'changed_mind', words: 'Too <red>', ...about })
        return (await ada.api.getReturns({ orderId })).returns[0]!.id
      },
      deliver: async () => {
        await shipOrder(db, jobs, orderId)
        await deliverOrder(db, orderId)
      },
      toShop,
      /** About cancellations and returns, without those about their refunds. */
      toCustomer: async () => (await mailedTo(ada.email)).filter(({ subject }) => /return|cancellation/i.test(subject)),
      mails: async () => ({ toShop: await toShop(), toCustomer: await mailedTo(ada.email) }),
    }
  }

  return buyMugs
}
