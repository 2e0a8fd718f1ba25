import { and, eq, inArray, sql } from 'drizzle-orm'
import { isAnyOf, prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, products, sellerOrders, sellers, type ShippingCents, variants } from '../db/schema.ts'
import { isVisible, snapshotColumns } from '../catalogue/products.ts'
import { lockVariantsWhere, orderableUnits } from '../catalogue/variants.ts'

/** Units of one variant. A list has at most one entry per variant. */
export interface Units {
  variantId: string
  quantity: number
}

const orderedColumns = {
  id: variants.id,
  productId: variants.productId,
  ...snapshotColumns,
  options: variants.options,
  sku: variants.sku,
  priceCents: variants.priceCents,
  discount: variants.discount,
  stock: orderableUnits.as('orderable'),
  handlingDays: sellers.handlingDays,
  refundsShipping: sellers.refundsShipping,
  transitDays: sellers.transitDays,
  picture: variants.picture,
  shippingPrices: sql<ShippingCents>`${sellers.shippingRates} || ${products.shippingPrices}`.as('shipping_prices'),
}

type ForSale = Map<string, Awaited<ReturnType<typeof selectForSale>>[number]>

const variantsForSale = prepared(db => selectForSale(db).prepare('variants_on_sale'))

const unitsTaken = prepared(db => {
  const ids = sql`${sql.placeholder('ids')}::text[]`
  const sold = db.$with('sold').as(selectForSale(db).orderBy(variants.id).for('no key update', { of: variants }))
  const wanted = sql`unnest(${ids}, ${sql.placeholder('quantities')}::int[]) as wanted(id, quantity)`
  const taken = db.$with('taken', {}).as(sql`
    update variants set stock = variants.stock - wanted.quantity from ${wanted}
    where variants.id = wanted.id
    and cardinality(${ids}) = (select count(*) from sold join ${wanted} using (id) where sold.orderable >= wanted.quantity)
  `)
  return db.with(sold, taken).select().from(sold).prepare('units_taken')
})

/** The variants that are for sale, by id. */
export async function readForSale(tx: Tx, units: Units[]): Promise<ForSale> {
  return byId(await variantsForSale(tx).execute(asArrays(units)))
}

/**
 * Takes the units out of the stock: all of them, or none if any variant has too few. Returns the variants as they were
 * before. They stay locked until the transaction ends, always in the same sequence, so that transactions do not
 * deadlock. One statement, because other customers of these variants wait for each round trip.
 */
export async function takeUnits(tx: Tx, units: Units[]): Promise<ForSale> {
  return byId(await unitsTaken(tx).execute(asArrays(units)))
}

function selectForSale(db: Db | Tx) {
  return db
    .select(orderedColumns)
    .from(variants)
    .innerJoin(products, eq(products.id, variants.productId))
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(isAnyOf(variants.id, 'ids'), isVisible))
    .$dynamic()
}

function byId(rows: Awaited<ReturnType<typeof selectForSale>>): ForSale {
  return new Map(rows.map(row => [row.id, row]))
}

/** Takes the units of a cancelled order again: all of them, or none (false) if any variant has too few. */
export async function takeAgain(tx: Tx, orderId: string): Promise<boolean> {
  const units = await unitsOf(tx, sql`${sellerOrders.orderId} = ${orderId}`)
  const sold = await takeUnits(tx, units)
  return units.every(({ variantId, quantity }) => (sold.get(variantId)?.stock ?? 0) >= quantity)
}

/** The units of these parts of orders. */
export async function readUnits(tx: Tx, sellerOrderIds: string[]): Promise<Units[]> {
  return sellerOrderIds.length === 0 ? [] : unitsOf(tx, inArray(sellerOrders.id, sellerOrderIds))
}

/** Returns units to the stock; a variant may be in the list several times. */
export async function returnUnits(tx: Tx, returned: Units[]): Promise<void> {
  if (returned.length === 0) return
  const quantities = new Map<string, number>()
  for (const { variantId, quantity } of returned) quantities.set(variantId, (quantities.get(variantId) ?? 0) + quantity)
  const units = [...quantities].map(([variantId, quantity]) => ({ variantId, quantity }))
  await lockVariantsWhere(tx, inArray(variants.id, [...quantities.keys()]))
  await tx.execute(sql`
    update variants set stock = stock + added.quantity
    from ${asTable(units)} as added(id, quantity)
    where variants.id = added.id
  `)
}

/** Returns units of order lines to the stock, and counts them in the lines. */
export async function restockLines(tx: Tx, lines: { id: string; quantity: number }[]): Promise<void> {
  const ids = sql.param(lines.map(({ id }) => id))
  const added = sql`unnest(${ids}::text[], ${sql.param(lines.map(({ quantity }) => quantity))}::int[]) as added(id, quantity)`
  const { rows } = await tx.execute<Units & Record<string, unknown>>(sql`
    update order_lines line set restocked = line.restocked + added.quantity from ${added}
    where line.id = added.id returning line.variant_id as "variantId", added.quantity
  `)
  await returnUnits(tx, rows)
}

async function unitsOf(tx: Tx, condition: ReturnType<typeof sql>): Promise<Units[]> {
  return tx
    .select({
      variantId: orderLines.variantId,
      quantity: sql<number>`sum(${orderLines.quantity} - ${orderLines.restocked})::int`,
    })
    .from(orderLines)
    .innerJoin(sellerOrders, eq(sellerOrders.id, orderLines.sellerOrderId))
    .where(condition)
    .groupBy(orderLines.variantId)
}

function asTable(units: Units[]) {
  const { ids, quantities } = asArrays(units)
  return sql`unnest(${sql.param(ids)}::text[], ${sql.param(quantities)}::int[])`
}

function asArrays(units: Units[]) {
  return { ids: units.map(({ variantId }) => variantId), quantities: units.map(({ quantity }) => quantity) }
}
