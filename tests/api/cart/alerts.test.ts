import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { productPath } from '#contract/page-urls.ts'
import { MAX_ALERTS } from '#contract/rules.ts'
import { productAlerts, products, variants } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { fixture, importText, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { addProduct, addShoe, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

let late = 0
const shop = await startProvider({ now: () => Date.now() + late, limits: 'alerts=10000/1h' })
const { db, api, customer, newcomer, letters, close } = shop
afterAll(close)

const alertsOf = async ({ api, id }: Customer) => (await api.getAlerts({ userId: id })).alerts
const toldTo = async ({ api }: Customer) => (await api.getNotifications({})).notifications

/** Waits until the customer has got this many notifications and all mails. */
async function told(ada: Customer, count = 1) {
  await vi.waitFor(async () => expect(await toldTo(ada)).toHaveLength(count), PATIENCE)
  await lettersSent(db)
  return { notifications: await toldTo(ada), mails: letters.filter(({ to }) => to === ada.email) }
}

const setStock = (variantId: string, stock: number) =>
  db.update(variants).set({ stock }).where(eq(variants.id, variantId))

/** Waits for the alert about a later change of another product: earlier changes have been handled by then. */
async function lookedAt(): Promise<void> {
  const witness = await customer()
  const lamp = await addProduct(db, { stock: 0 })
  await witness.api.addAlert({ productId: lamp.id })
  await setVariants(db, lamp, { stock: 1 })
  await told(witness)
}

describe('an alert for a sold-out product', () => {
  test('sends one notification and one mail when the product is back in stock', async () => {
    const ada = await customer('Ada')
    const train = await addProduct(db, { name: 'Train', shopName: 'Toys', stock: 0, priceCents: 2050 })
    const { message } = await ada.api.addAlert({ productId: train.id })
    expect(message).toBe('We will tell you once when it is back')
    expect(await alertsOf(ada)).toMatchObject([{ name: 'Train', productId: train.id, priceCents: 2050 }])

    await setVariants(db, train, { stock: 3 })

    const { notifications, mails } = await told(ada)
    expect(notifications).toMatchObject([
      {
        title: 'It is back',
        message: 'Train from Toys is back in stock for $20.50.',
        link: productPath(train, train.variantId),
      },
    ])
    expect(mails).toMatchObject([{ subject: 'Back in stock: Train' }])
    expect(await alertsOf(ada)).toEqual([])

    await setVariants(db, train, { stock: 0 })
    await setVariants(db, train, { stock: 5 })
    await lookedAt()
    expect(await told(ada)).toMatchObject({ notifications: { length: 1 }, mails: { length: 1 } })
  })

  test('is only for the variant that the customer chose', async () => {
    const ada = await customer()
    const shoe = await addShoe(db, { 42: { stock: 0 }, 43: { stock: 0 } }, { name: 'Shoe' })
    const [small = '', large = ''] = shoe.variantIds
    await ada.api.addAlert({ productId: shoe.id, variantId: large })

    await setStock(small, 4)
    await lookedAt()
    expect(await toldTo(ada)).toEqual([])
    await setStock(large, 1)

    const { mails } = await told(ada)
    expect(mails[0]!.subject).toBe('Back in stock: Shoe (Size 43, Blue)')
  })

  test('is sent when a cancelled order returns the last unit to stock', async () => {
    const [ada, bob] = [await customer(), await customer()]
    const kite = await addShippable(db, { stock: 1 })
    const { orderId } = await bob.api.placeOrder(orderOf(bob.id, [kite]))
    await ada.api.addAlert({ productId: kite.id })

    await bob.api.cancelOrder({ orderId })

    expect(await told(ada)).toMatchObject({ mails: { length: 1 } })
  })

  test('is sent when an import adds stock', async () => {
    const ada = await customer()
    await importText(db, fixture('pottery.csv'))
    const mug = await storedProduct(db, 'river-mug')
    await setVariants(db, mug, { stock: 0 })
    const [variant] = await db.select().from(variants).where(eq(variants.productId, mug.id))
    await ada.api.addAlert({ productId: mug.id, variantId: variant!.id })

    await importText(db, fixture('pottery.csv'))

    expect(await told(ada)).toMatchObject({ mails: { length: 1 } })
  })

  test('is sent when the product is shown again, not while it is hidden', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { stock: 0 })
    await ada.api.addAlert({ productId: kite.id })
    await db.update(products).set({ isHidden: true }).where(eq(products.id, kite.id))
    await setVariants(db, kite, { stock: 1 })
    await lookedAt()
    expect(await toldTo(ada)).toEqual([])
    expect(await alertsOf(ada)).toEqual([])

    await db.update(products).set({ isHidden: false }).where(eq(products.id, kite.id))

    await told(ada)
  })

  test('stays if the product is sold out again before the alert is sent', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { stock: 0 })
    await ada.api.addAlert({ productId: kite.id })

    await transact(db, async tx => {
      await setVariants(tx, kite, { stock: 1 })
      await setVariants(tx, kite, { stock: 0 })
    })
    await lookedAt()

    expect(await toldTo(ada)).toEqual([])
    expect(await alertsOf(ada)).toHaveLength(1)
  })

  test('is sent once, even if it was set twice', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { stock: 0 })
    await Promise.all([1, 2, 3].map(() => ada.api.addAlert({ productId: kite.id })))
    expect(await alertsOf(ada)).toHaveLength(1)

    await setVariants(db, kite, { stock: 1 })

    expect(await told(ada)).toMatchObject({ mails: { length: 1 } })
  })

  test('is not sent after the customer has ended it', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { stock: 0 })
    await ada.api.addAlert({ productId: kite.id })
    const [alert] = await alertsOf(ada)

    await ada.api.removeAlert({ alertId: alert!._id })

    await setVariants(db, kite, { stock: 1 })
    await lookedAt()
    expect(await toldTo(ada)).toEqual([])
    await expect(ada.api.removeAlert({ alertId: alert!._id })).rejects.toMatchObject({ status: 404 })
  })

  test('cannot be set while the product is in stock, not for sale, or without a chosen variant', async () => {
    const ada = await customer()
    const [kite, hidden] = [await addProduct(db), await addProduct(db, { stock: 0, isHidden: true })]
    const shoe = await addShoe(db, { 42: { stock: 0 }, 43: { stock: 0 } })

    await expect(ada.api.addAlert({ productId: kite.id })).rejects.toMatchObject({
      status: 422,
      message: 'This is in stock: you can buy it now',
    })
    for (const productId of [hidden.id, 'nothing'])
      await expect(ada.api.addAlert({ productId })).rejects.toMatchObject({ status: 404 })
    await expect(ada.api.addAlert({ productId: shoe.id })).rejects.toMatchObject({ code: 'CHOOSE_OPTIONS' })
    await expect(api.addAlert({ productId: kite.id })).rejects.toMatchObject({ code: 'NO_TOKEN' })
  })
})

describe('a price alert', () => {
  test('is sent once, when the price falls below the one that the customer named', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', shopName: 'Toys', priceCents: 5000 })
    const { message } = await ada.api.addAlert({ productId: train.id, belowCents: 4000 })
    expect(message).toBe('We will tell you once when it costs less than $40.00')
    expect(await alertsOf(ada)).toMatchObject([{ belowCents: 4000, priceCents: 5000 }])

    await setVariants(db, train, { priceCents: 4000 })
    await lookedAt()
    expect(await toldTo(ada)).toEqual([])
    await setVariants(db, train, { priceCents: 4999, discount: 25 })

    const { notifications, mails } = await told(ada)
    expect(notifications).toMatchObject([
      {
        title: 'The price has fallen',
        message: 'Train from Toys now costs $37.99, less than the $40.00 you asked for.',
      },
    ])
    expect(mails).toMatchObject([{ subject: 'Now $37.99: Train' }])
    expect(await alertsOf(ada)).toEqual([])
  })

  test('for a sold-out product is sent when it can be bought', async () => {
    const ada = await customer()
    const train = await addProduct(db, { priceCents: 5000, stock: 0 })
    await ada.api.addAlert({ productId: train.id, belowCents: 4000 })
    await setVariants(db, train, { priceCents: 3000 })
    await lookedAt()
    expect(await toldTo(ada)).toEqual([])

    await setVariants(db, train, { stock: 1 })

    await told(ada)
  })

  test('replaces the earlier one, and its price must be lower than today’s', async () => {
    const ada = await customer()
    const train = await addProduct(db, { priceCents: 5000 })
    await ada.api.addAlert({ productId: train.id, belowCents: 4000 })
    await ada.api.addAlert({ productId: train.id, belowCents: 3000 })

    expect(await alertsOf(ada)).toMatchObject([{ belowCents: 3000 }])
    await expect(ada.api.addAlert({ productId: train.id, belowCents: 5001 })).rejects.toMatchObject({
      status: 422,
      fields: { below: 'It already costs less than that' },
    })
    await expect(ada.api.addAlert({ productId: train.id, belowCents: 0 })).rejects.toMatchObject({
      fields: { below: 'Please enter a price' },
    })
  })
})

describe('alerts', () => {
  test('end by the link of a mail, without a login; not by another one', async () => {
    const [ada, bob] = [await customer(), await customer()]
    const [train, kite] = [await addProduct(db, { stock: 0 }), await addProduct(db, { stock: 0 })]
    for (const { id: productId } of [train, kite]) await ada.api.addAlert({ productId })
    await bob.api.addAlert({ productId: kite.id })
    await setVariants(db, train, { stock: 1 })
    const { mails } = await told(ada)
    const [, link = ''] = /End all my alerts: (\S+)/.exec(mails[0]!.text) ?? []
    const token = new URL(link).searchParams.get('token')!

    for (const wrong of [token.replace(ada.id, bob.id), `${token}x`, 'x', ''])
      await expect(api.endAlerts({ token: wrong })).rejects.toMatchObject({ status: 404 })
    expect(await alertsOf(ada)).toHaveLength(1)
    for (let click = 0; click < 2; click += 1)
      expect(await api.endAlerts({ token })).toEqual({
        message: 'All your alerts have ended. We will not write to you about these products again',
      })

    expect(await alertsOf(ada)).toEqual([])
    expect(await alertsOf(bob)).toHaveLength(1)
    late = 181 * 24 * 3600_000
    await expect(api.endAlerts({ token })).rejects.toMatchObject({ status: 404 })
    late = 0
  })

  test('of a customer with an unconfirmed address are notifications, without mails', async () => {
    const eve = await newcomer()
    const kite = await addProduct(db, { stock: 0 })
    const { message } = await eve.api.addAlert({ productId: kite.id })
    expect(message).toBe('We will tell you once when it is back. Confirm your email address to get an email too')

    await setVariants(db, kite, { stock: 1 })

    const { mails } = await told(eve)
    expect(mails.map(({ subject }) => subject)).toEqual(['Confirm your email address'])
  })

  test('are limited in number, not counting those about products that are no longer for sale', async () => {
    const ada = await customer()
    const like = await addProduct(db, { stock: 0 })
    const hidden = await addProduct(db, { isHidden: true })
    await db.insert(productAlerts).values({ userId: ada.id, productId: hidden.id, belowCents: 1 })
    for (let at = 1; at < MAX_ALERTS; at += 1) {
      const { id: productId } = await addProduct(db, { sellerId: like.sellerId })
      await db.insert(productAlerts).values({ userId: ada.id, productId, belowCents: 1 })
    }

    await ada.api.addAlert({ productId: like.id })

    await expect(ada.api.addAlert({ productId: like.id, belowCents: 1 })).rejects.toMatchObject({
      status: 422,
      message: `You have ${MAX_ALERTS} alerts. Please end one of them first`,
    })
    expect(await alertsOf(ada)).toHaveLength(MAX_ALERTS)
  })
})
