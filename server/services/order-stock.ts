import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { orderLines, products, sellerOrders, sellers } from '../db/schema.ts'
import { isVisible, productColumns } from './products.ts'

/** Units of one product; a list of them names each product once. */
export interface Units {
  productId: string
  quantity: number
}

const { description: _, ...soldColumns } = productColumns

type Sold = Map<string, Awaited<ReturnType<typeof selectSold>>[number]>

/** Those of the products that are sold now, by id. */
export async function readSold(tx: Tx, units: Units[]): Promise<Sold> {
  return byId(await selectSold(tx, units))
}

/**
 * As `readSold`, and as they stay until the end of the transaction. Whoever changes the stock of several products locks
 * them first, always in one order: no two transactions wait for each other.
 */
export async function lockSold(tx: Tx, units: Units[]): Promise<Sold> {
  return byId(await selectSold(tx, units).orderBy(products.id).for('no key update', { of: products }))
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

/** Takes units of locked products out of the stock. The caller has seen that there are enough. */
export async function takeUnits(tx: Tx, units: Units[]): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    update products set stock = stock - wanted.quantity
    from ${asTable(units)} as wanted(id, quantity)
    where products.id = wanted.id and products.stock >= wanted.quantity
  `)
  if (rowCount !== units.length)
    throw new Error(`${rowCount} of ${units.length} products had the units they should have`)
}

/** Takes the units of an order out of the stock once more: all of them, or none when the shop no longer has them all. */
export async function takeAgain(tx: Tx, orderId: string): Promise<boolean> {
  const units = await unitsOf(tx, sql`${sellerOrders.orderId} = ${orderId}`)
  const sold = await lockSold(tx, units)
  if (units.some(({ productId, quantity }) => (sold.get(productId)?.stock ?? 0) < quantity)) return false
  await takeUnits(tx, units)
  return true
}

/** Puts the units of sellers' parts of an order back into the stock. */
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
