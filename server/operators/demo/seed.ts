import { count, inArray, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { shopSlug } from '#contract/rules.ts'
import type { Uploads } from '#server/uploads/uploads.ts'
import type { Database, Db, Tx } from '#server/db/types.ts'
import * as tables from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import type { Media } from '#server/media/store.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { freeSlugs } from '#server/catalogue/slugs.ts'
import { refreshReplyTimes } from '#server/chat/reply-times.ts'
import { rateProducts } from '#server/catalogue/ratings.ts'
import { refreshUnitsSold } from '#server/catalogue/upkeep.ts'
import { refreshStatistics } from '#server/db/statistics.ts'
import { type DemoContent, picturesOf, readContent } from './content.ts'
import { addPictures, type PictureOf } from './pictures.ts'
import { customerRow } from './customer.ts'
import { conversationRows, notificationRows, wishRows } from './customer-life.ts'
import { saleParcelRows } from './parcels.ts'
import { paymentRows } from './payments.ts'
import { askerRows, questionRows } from './questions.ts'
import { boughtUnits, purchaseRows } from './purchases.ts'
import { addReviewPictures } from './review-pictures.ts'
import { clearDemo, storeDemoRecord, wasRemoved } from './remove.ts'
import { bannerRow, demoId, orderRows, productRow, reviewRows, shopRow, variantRows } from './rows.ts'

interface Options {
  database: Database
  media: Pick<Media, 'add'>
  uploads: Pick<Uploads, 'add'>
}

const ROWS_AT_ONCE = 500

/** The demo marketplace: the same on every machine, and marked so that it never mixes with the operator's own data. */
export function createDemo({ database, media, uploads }: Options) {
  const { db } = database
  const atOnce = (work: (tx: Tx) => Promise<void>) => database.unhurried(unlimitedDb => transact(unlimitedDb, work))

  async function fill(event?: 'demo_reset'): Promise<void> {
    const content = await readContent()
    const customer = await customerRow()
    const askers = await askerRows()
    const pictureOf = await addPictures(media, picturesOf(content))
    const reviewPictures = await addReviewPictures(uploads, content)
    await atOnce(async tx => {
      await clearDemo(tx)
      const slugOf = await addCatalogue(tx, content, pictureOf)
      await insert(tx, tables.reviewPictures, reviewPictures)
      await addSales(tx, content)
      // An account that already has this address stays as it is.
      const added = await tx
        .insert(tables.users)
        .values(customer)
        .onConflictDoNothing({ target: tables.users.email })
        .returning({ id: tables.users.id })
      if (added.length > 0) await addCustomerLife(tx, purchaseRows(content, pictureOf, slugOf))
      await addQuestions(tx, askers)
      await rateProducts(
        tx,
        content.products.map(({ key }) => demoId('product', key)),
      )
      await refreshUnitsSold(tx)
      await refreshReplyTimes(tx)
      if (event) await recordAudit(tx, { event, outcome: 'ok' })
    })
    await refreshStatistics(database)
  }

  return {
    /** Fills an empty catalogue, unless the operator has removed the demo. Returns whether it did. */
    seed: (): Promise<boolean> =>
      database.exclusively(async () => {
        if ((await wasRemoved(db)) || !(await isEmpty(db))) return false
        await fill()
        return true
      }),

    /** Restores the demo's initial state; the operator's own data stays. */
    reset: () => database.exclusively(() => fill('demo_reset')),

    /** Removes the demo for good; the operator's own data stays. */
    remove: (): Promise<void> =>
      database.exclusively(() =>
        atOnce(async tx => {
          await clearDemo(tx)
          await storeDemoRecord(tx, { isRemoved: true, products: [], categories: [] })
          await refreshUnitsSold(tx)
          await recordAudit(tx, { event: 'demo_removed', outcome: 'ok' })
        }),
      ),
  }
}

async function isEmpty(db: Db): Promise<boolean> {
  const [shops] = await db.select({ count: count() }).from(tables.sellers)
  return shops?.count === 0
}

/** Returns a function that finds a product's slug by its key. */
async function addCatalogue(tx: Tx, content: DemoContent, pictureOf: PictureOf) {
  const { categories, shops, products, banners } = content
  const known = await tx.select({ name: tables.categories.name }).from(tables.categories)
  const ownCategories = categories.filter(({ name }) => !known.some(category => category.name === name))
  await insert(
    tx,
    tables.categories,
    ownCategories.map(({ name, image }) => ({ name, picture: pictureOf(image, name) })),
  )

  const keys = shops.map(({ shopName }) => shopSlug(shopName))
  const taken = await tx
    .select({ key: tables.sellers.key })
    .from(tables.sellers)
    .where(inArray(tables.sellers.key, keys))
  const keyFor = (key: string) => (taken.some(seller => seller.key === key) ? `${key}-demo` : key)
  await insert(
    tx,
    tables.sellers,
    shops.map((shop, at) => shopRow(shop, keyFor(keys[at] ?? shop.key), pictureOf)),
  )

  const slugs = await freeSlugs(
    tx,
    products.map(({ key, seller }) => [key, seller]),
  )
  const nameOf = new Map(shops.map(({ key, shopName }) => [key, shopName]))
  const rows = products.map((product, at) =>
    productRow(
      product,
      { slug: slugs[at] ?? product.key, shopName: nameOf.get(product.seller) ?? '', place: at },
      pictureOf,
    ),
  )
  await insert(tx, tables.products, rows)
  await insert(
    tx,
    tables.variants,
    products.flatMap(product => variantRows(product, pictureOf)),
  )
  await addEarlierPrices(
    tx,
    rows.map(({ id }) => id),
  )
  await insert(tx, tables.reviews, reviewRows(content))
  const shown = banners.flatMap((banner, position) => {
    const row = bannerRow(banner, pictureOf)
    return row ? { ...row, id: demoId('banner', banner.title), position, isDemo: true } : []
  })
  await insert(tx, tables.platformBanners, shown)
  await storeDemoRecord(tx, {
    isRemoved: false,
    products: rows.map(({ id }) => id),
    categories: ownCategories.map(({ name }) => name),
  })
  const slugByKey = new Map(products.map(({ key }, at) => [key, slugs[at] ?? key]))
  return (key: string) => slugByKey.get(key) ?? key
}

/** The demo's discounts began ten days ago; before, its products cost the full price. */
async function addEarlierPrices(tx: Tx, productIds: string[]): Promise<void> {
  const isDemo = sql`${tables.variants.productId} = any (${sql.param(productIds)}::text[])`
  await tx.execute(sql`
    update ${tables.variantPrices} set since = since - interval '10 days'
    from ${tables.variants} where variant_id = ${tables.variants.id} and ${isDemo}
  `)
  await tx.execute(sql`
    insert into ${tables.variantPrices} (variant_id, since, final_cents)
    select id, now() - interval '60 days', price_cents from ${tables.variants} where ${isDemo} and final_cents < price_cents
  `)
}

async function addSales(tx: Tx, content: DemoContent): Promise<void> {
  const rows = orderRows(content, boughtUnits())
  await insert(tx, tables.orders, rows.orders)
  await insert(tx, tables.sellerOrders, rows.sellerOrders)
  await insert(tx, tables.orderLines, rows.lines)
  const sent = saleParcelRows(rows)
  await insert(tx, tables.parcels, sent.parcels)
  await insert(tx, tables.parcelLines, sent.parcelLines)
}

/** What others have asked the shops, so that these can say how soon they usually reply. */
async function addQuestions(tx: Tx, askers: (typeof tables.users.$inferInsert)[]): Promise<void> {
  const { conversations, messages } = questionRows()
  await insert(tx, tables.users, askers)
  await insert(tx, tables.conversations, conversations)
  await insert(tx, tables.messages, messages)
}

/** The orders and their payments, the wishlist, chats and notifications of the demo's customer. */
async function addCustomerLife(tx: Tx, purchases: ReturnType<typeof purchaseRows>): Promise<void> {
  await insert(tx, tables.orders, purchases.orders)
  await insert(tx, tables.sellerOrders, purchases.sellerOrders)
  await insert(tx, tables.orderLines, purchases.lines)
  await insert(tx, tables.parcels, purchases.parcels)
  await insert(tx, tables.parcelLines, purchases.parcelLines)
  await insert(tx, tables.orderSteps, purchases.steps)
  const paid = paymentRows(purchases)
  await insert(tx, tables.paymentAttempts, paid.attempts)
  await insert(tx, tables.payments, paid.payments)
  await insert(tx, tables.sandboxPayments, paid.sandboxPayments)
  await insert(tx, tables.wishlistItems, wishRows())
  const { conversation, messages } = conversationRows()
  await insert(tx, tables.conversations, [conversation])
  await insert(tx, tables.messages, messages)
  const { notifications, reads } = notificationRows()
  await insert(tx, tables.notifications, notifications)
  await insert(tx, tables.notificationReads, reads)
}

async function insert<Table extends PgTable>(tx: Tx, table: Table, rows: Table['$inferInsert'][]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await tx.insert(table).values(rows.slice(at, at + ROWS_AT_ONCE) as never)
  }
}
