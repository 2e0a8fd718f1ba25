import { eq } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { auditEvents } from '#server/db/schema.ts'
import { addSeller } from '../catalogue/catalogue.ts'
import { operatorOf } from './operator.ts'
import { addShippable, orderOf, payOrder } from './ordering.ts'
import { type Customer, startProvider } from './provider.ts'

/** A provider with an operator's terminal in this process. It is closed after the file's tests. */
export async function openOperatedShop() {
  const shop = await startProvider({ limits: 'placeOrder=1000/1m' })
  afterAll(shop.close)
  const { db, database, jobs } = shop
  const market = operatorOf(shop)
  const tags: (string | null)[] = []
  await database.onChange(tag => tags.push(tag))

  return {
    ...shop,
    market,

    /** Cache tags that a command purges. */
    async purgedBy(...words: string[]): Promise<(string | null)[]> {
      await database.settled()
      tags.length = 0
      await market(...words)
      return [...tags]
    },

    audited: (event: string) => db.select().from(auditEvents).where(eq(auditEvents.event, event)),

    /** Adds a shop with one product in its own category. */
    async openShop(key: string, shopName: string) {
      const banner = { title: `${shopName} sale`, description: 'Today', picture: { hash: 'a'.repeat(64) } }
      const seller = await addSeller(db, { key, shopName, banner, isVerified: true, hasAi: true })
      const product = await addShippable(db, {
        sellerId: seller.id,
        shopName,
        name: `${shopName} teapot`,
        slug: `${key}-teapot`,
        category: `${key} goods`,
      })
      return { seller, product }
    },

    async place(ada: Customer, product: Parameters<typeof orderOf>[1][number]): Promise<string> {
      return (await ada.api.placeOrder(orderOf(ada.id, [product]))).orderId
    },

    async pay(ada: Customer, orderId: string): Promise<void> {
      const { order } = await ada.api.getOrder({ orderId })
      await payOrder(db, jobs, order)
    },
  }
}
