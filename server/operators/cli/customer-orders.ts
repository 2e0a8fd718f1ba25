import type { Command } from '@commander-js/extra-typings'
import { ORDER_STATUSES } from '#contract/orders.ts'
import { CARRIER_LENGTH, TRACKING_LENGTH } from '#contract/parcels.ts'
import type { SendCommand } from './command.ts'
import { BEFORE, SINCE } from './options.ts'
import { readItem, readLabel } from './shipment-values.ts'
import { MAX_LINES, readAmount, readLimit, readTime, readUnits, UsageError } from './values.ts'

const ID = ['<order>', 'The order’s number or id'] as const
const SHOP = ['--shop <shop>', 'Only this shop’s part: its key or name'] as const

/** Adds the commands for customers' orders. */
export function addOrderCommands(market: Command, sendCommand: SendCommand): void {
  const order = market.command('order').description('Look after orders')
  order
    .command('list')
    .description('List the newest orders, or what is to ship')
    .option('--status <status>', `Only these: ${ORDER_STATUSES.join(', ')}`, 'all')
    .option('--to-ship', 'Paid parts that a shop has to ship, oldest first')
    .option('--shop <shop>', 'Only those of this shop: its key or name')
    .option(...SINCE)
    .option(...BEFORE)
    .option('--csv', 'As a CSV file: a line for each order or, with --to-ship, for each product')
    .option('--limit <n>', 'How many at most: 20, with --to-ship or --csv all')
    .action(({ status, toShip: isToShip = false, shop, since, before, csv: isCsv = false, limit }) => {
      if (isToShip && (since ?? before) !== undefined)
        throw new UsageError('Leave --since and --before out with --to-ship')
      if (isToShip && status !== 'all')
        throw new UsageError('What is to ship is paid: leave --status out with --to-ship')
      return sendCommand({
        name: 'order list',
        status: statusOf(status),
        isToShip,
        shop,
        since: readTime('--since', since),
        before: readTime('--before', before),
        isCsv,
        limit: readLimit(limit ?? String(isToShip || isCsv ? MAX_LINES : 20)),
      })
    })

  const about = (name: 'show' | 'cancel', description: string) =>
    order
      .command(name)
      .description(description)
      .argument(...ID)
      .action(id => sendCommand({ name: `order ${name}`, id }))
  about('show', 'Show one order')
  order
    .command('pack')
    .description('Mark an order as packed: from then on the shop decides about cancellations')
    .argument(...ID)
    .option(...SHOP)
    .action((id, { shop }) => sendCommand({ name: 'order pack', id, shop }))
  order
    .command('ship')
    .description('Mark a parcel as shipped: everything unsent, or only some items')
    .argument(...ID)
    .option(...SHOP)
    .option('--carrier <name>', 'The carrier, such as DHL')
    .option('--tracking <number>', 'The carrier’s number of the parcel')
    .option('--items <items...>', 'Its contents: SKU, slug or line number, such as mug-blue or mug-blue=2')
    .action((id, { shop, carrier, tracking, items }) =>
      sendCommand({
        name: 'order ship',
        id,
        shop,
        carrier: carrier === undefined ? undefined : readLabel('--carrier', carrier, CARRIER_LENGTH),
        trackingNumber: tracking === undefined ? undefined : readLabel('--tracking', tracking, TRACKING_LENGTH),
        items: items?.map(readItem),
      }),
    )
  order
    .command('deliver')
    .description('Mark all parcels, or one, as delivered')
    .argument(...ID)
    .option(...SHOP)
    .option('--parcel <n>', 'Only this one: its number within the shop’s part')
    .action((id, { shop, parcel }) =>
      sendCommand({
        name: 'order deliver',
        id,
        shop,
        parcel: parcel === undefined ? undefined : readUnits('--parcel', parcel),
      }),
    )
  about('cancel', 'Cancel an order of which nothing is shipped, and refund what was paid')
  order
    .command('refund')
    .description('Refund a paid order, and cancel what is not shipped yet')
    .argument(...ID)
    .option('--amount <dollars>', 'Refund only this amount, and cancel nothing')
    .action((id, { amount }) => sendCommand({ name: 'order refund', id, amountCents: readAmount(amount) }))
}

function statusOf(given: string) {
  const status = ORDER_STATUSES.find(known => known === given)
  if (!status) throw new UsageError(`--status '${given}' is none of ${ORDER_STATUSES.join(', ')}`)
  return status
}
