import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orderLines, products, sellerOrders, sellers } from '../db/schema.ts'
import { isVisible, productColumns } from '../catalogue/products.ts'

/** Units of one product. A list has at most one entry per product. */
export interface Units {
  productId: string
  quantity: number
}

const { description: _, ...columns } = productColumns
const soldColumns = { ...columns, shippingPrices: columns.shippingPrices.as('shipping_prices') }

type Sold = Map<string, Awaited<ReturnType<typeof selectSold>>[number]>

/** The products that are on sale, by id. */
export async function readSold(tx: Tx, units: Units[]): Promise<Sold> {
  return byId(await selectSold(tx, units))
}

/**
 * Takes the units out of the stock: all of them, or none if any product has too few. Returns the products as they were
 * before. They stay locked until the transaction ends, always in the same sequence, so that transactions do not
 * deadlock. One statement, because other customers of these products wait for each round trip.
 */
export async function takeUnits(tx: Tx, units: Units[]): Promise<Sold> {
  const sold = tx.$with('sold').as(selectSold(tx, units).orderBy(products.id).for('no key update', { of: products }))
  const wanted = sql`${asTable(units)} as wanted(id, quantity)`
  const taken = tx.$with('taken', {}).as(sql`
    update products set stock = products.stock - wanted.quantity from ${wanted}
    where products.id = wanted.id
    and ${units.length} = (select count(*) from sold join ${wanted} using (id) where sold.stock >= wanted.quantity)
  `)
  return byId(await tx.with(sold, taken).select().from(sold))
}

function selectSold(tx: Tx, units: Units[]) {
  const productIds = units.map(({ productId }) => productId)
  return tx
    .select(soldColumns)
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(inArray(products.id, productIds), isVisible))
    .$dynamic()
}

function byId(rows: Awaited<ReturnType<typeof selectSold>>): Sold {
  return new Map(rows.map(row => [row.id, row]))
}

/** Takes the units of a cancelled order again: all of them, or none (false) if any product has too few. */
export async function takeAgain(tx: Tx, orderId: string): Promise<boolean> {
  const units = await unitsOf(tx, sql`${sellerOrders.orderId} = ${orderId}`)
  const sold = await takeUnits(tx, units)
  return units.every(({ productId, quantity }) => (sold.get(productId)?.stock ?? 0) >= quantity)
}

/** Returns the units of these order parts to the stock. */
export async function returnUnits(tx: Tx, sellerOrderIds: string[]): Promise<void> {
  if (sellerOrderIds.length === 0) return
  const units = await unitsOf(tx, inArray(sellerOrders.id, sellerOrderIds))
  const productIds = units.map(({ productId }) => productId)
  await tx
    .select({ id: products.id })
    .from(products)
    .where(inArray(products.id, productIds))
    .orderBy(products.id)
    .for('no key update')
  await tx.execute(sql`
    update products set stock = stock + given.quantity
    from ${asTable(units)} as given(id, quantity)
    where products.id = given.id
  `)
}

async function unitsOf(tx: Tx, isMeant: ReturnType<typeof sql>): Promise<Units[]> {
  return tx
    .select({ productId: orderLines.productId, quantity: sql<number>`sum(${orderLines.quantity})::int` })
    .from(orderLines)
    .innerJoin(sellerOrders, eq(sellerOrders.id, orderLines.sellerOrderId))
    .where(isMeant)
    .groupBy(orderLines.productId)
}

function asTable(units: Units[]) {
  const ids = sql.param(units.map(({ productId }) => productId))
  const quantities = sql.param(units.map(({ quantity }) => quantity))
  return sql`unnest(${ids}::text[], ${quantities}::int[])`
}
