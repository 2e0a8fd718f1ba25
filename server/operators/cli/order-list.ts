import { stringify } from 'csv-stringify/sync'
import { addressLines, isWritten } from '#contract/address-lines.ts'
import { snapshotName, variantTitle } from '#contract/variants.ts'
import { type ListedOrder, listOrders, listToShip, type PartToShip } from '#server/orders/shipping-list.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { singleLine } from '#server/platform/single-line.ts'
import type { CommandOf } from './command.ts'
import type { AppContext, Terminal } from './app-context.ts'
import { hintAtMore } from './table.ts'

const ERASED = '(erased)'

/** Lists customers' orders, or the parts to ship, as text or CSV. */
export async function listForOperator(
  { status, isToShip, shop, since, before, isCsv, limit }: CommandOf<'order list'>,
  { database }: AppContext,
  { out, err }: Terminal,
): Promise<number> {
  if (isToShip) {
    const parts = await database.unhurried(db => listToShip(db, { shop, limit }))
    await out(
      isCsv
        ? csvOf(TO_SHIP_COLUMNS, parts.flatMap(toShipRows))
        : linesOr('Nothing is to ship', parts.map(describePart)),
    )
    return hintAtMore({ err }, parts.length, limit)
  }
  const orders = await database.unhurried(db => listOrders(db, { status, shop, since, before, limit }))
  await out(isCsv ? csvOf(ORDER_COLUMNS, orders.map(orderRow)) : linesOr('No order', orders.map(describeOrder)))
  return hintAtMore({ err }, orders.length, limit, orders.at(-1)?.createdAt)
}

function linesOr(none: string, lines: string[]): string {
  return lines.length > 0 ? lines.join('') : `${none}\n`
}

/**
 * Formats rows as CSV. Cells are single lines without control characters; a cell that a spreadsheet would evaluate as a
 * formula gets a leading '.
 */
function csvOf(columns: string[], rows: string[][]): string {
  return stringify([columns, ...rows.map(row => row.map(singleLine))], { escape_formulas: true })
}

const ORDER_COLUMNS = [
  'order',
  'number',
  'placed at',
  'paid at',
  'status',
  'payment',
  'total USD',
  'shipping USD',
  'customer',
  'refunded USD',
]

function orderRow({
  id,
  number,
  createdAt,
  paidAt,
  status,
  paymentStatus,
  priceCents,
  shippingCents,
  email,
  refundedCents,
}: ListedOrder) {
  return [
    id,
    number,
    createdAt.toISOString(),
    paidAt?.toISOString() ?? '',
    status,
    paymentStatus,
    plainDollars(priceCents),
    plainDollars(shippingCents),
    email ?? '',
    plainDollars(refundedCents),
  ]
}

function describeOrder({ id, number, createdAt, status, paymentStatus, priceCents, email }: ListedOrder): string {
  return `${number}  ${id}  ${createdAt.toISOString()}  ${status.padEnd(9)}  ${paymentStatus.padEnd(14)}  $${plainDollars(priceCents)}  ${email ?? ERASED}\n`
}

const ADDRESS_FIELDS = ['name', 'address', 'area', 'city', 'post', 'province', 'country', 'phone'] as const

const TO_SHIP_COLUMNS = [
  'order',
  'number',
  'paid at',
  'shop',
  'product',
  'slug',
  'variant',
  'SKU',
  'quantity',
  'unit price USD',
  'shipping USD',
  'name',
  'address',
  'area',
  'city',
  'post code',
  'province',
  'country',
  'phone',
  'email',
]

function toShipRows({ order, part, lines, isWhole, email }: PartToShip): string[][] {
  const { id, number, paidAt, destination } = order
  return lines.map(({ snapshot, quantity, unitCents, shippingCents }) => [
    id,
    number,
    paidAt?.toISOString() ?? '',
    part.shopName,
    snapshot?.name ?? '',
    snapshot?.slug ?? '',
    variantTitle(snapshot?.variant?.options ?? []),
    snapshot?.variant?.sku ?? '',
    String(quantity),
    plainDollars(unitCents),
    isWhole ? plainDollars(shippingCents) : '',
    ...ADDRESS_FIELDS.map(name => destination?.[name] ?? '').map(value => (isWritten(value) ? value : '')),
    email ?? '',
  ])
}

function describePart({ order, part, lines, isWhole }: PartToShip): string {
  const { id, number, paidAt, destination } = order
  const to = destination ? [destination.name, ...addressLines(destination)] : []
  const what = lines.map(({ quantity, snapshot }) => `  ${quantity} × ${snapshot ? snapshotName(snapshot) : 'product'}`)
  const text = [
    `${number}  ${id}  ${part.shopName}${isWhole ? `, $${plainDollars(part.priceCents)}` : ''}, paid ${paidAt?.toISOString() ?? ''}`,
    ...what,
    `  To ${to.join(', ')}`,
  ]
  return `${text.map(singleLine).join('\n')}\n`
}
