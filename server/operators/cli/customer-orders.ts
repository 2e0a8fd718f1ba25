import { defineCommand } from 'citty'
import { ORDER_STATUSES } from '#contract/orders.ts'
import type { SendCommand } from './command.ts'
import { group, noMore } from './group.ts'
import { UsageError, MOST_LINES, readLimit } from './values.ts'

/** Defines the commands for customers' orders. */
export function customerOrders(sendCommand: SendCommand) {
  const id = { type: 'positional', required: true, description: 'The order’s id' } as const
  const shop = { type: 'string', valueHint: 'SHOP', description: 'Only this shop’s part: its key or name' } as const

  const delivery = (name: 'ship' | 'deliver', description: string) =>
    defineCommand({
      meta: { name, description },
      args: { id, shop },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: `order ${name}`, id: args.id, shop: args.shop })
      },
    })

  const about = (name: 'show' | 'cancel' | 'refund', description: string) =>
    defineCommand({
      meta: { name, description },
      args: { id },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: `order ${name}`, id: args.id })
      },
    })

  return group('order', 'Look after orders', {
    list: defineCommand({
      meta: { name: 'list', description: 'List the newest orders, or what is to ship' },
      args: {
        status: { type: 'string', valueHint: ORDER_STATUSES.join('|'), default: 'all', description: 'Only these' },
        'to-ship': { type: 'boolean', default: false, description: 'Paid parts that a shop has to ship, oldest first' },
        shop: { type: 'string', valueHint: 'SHOP', description: 'Only those of this shop: its key or name' },
        csv: { type: 'boolean', default: false, description: 'As a CSV file, with a line for each product to ship' },
        limit: { type: 'string', valueHint: 'N', description: 'How many at most: 20, with --to-ship or --csv all' },
      },
      async run({ args }) {
        noMore(args._, 0)
        const isToShip = args['to-ship']
        if (isToShip && args.status !== 'all')
          throw new UsageError('What is to ship is paid: leave --status out with --to-ship')
        await sendCommand({
          name: 'order list',
          status: statusOf(args.status),
          isToShip,
          shop: args.shop,
          isCsv: args.csv,
          limit: readLimit(args.limit ?? String(isToShip || args.csv ? MOST_LINES : 20)),
        })
      },
    }),
    show: about('show', 'Show one order'),
    ship: delivery('ship', 'Say that an order, or one shop’s part of it, is on its way'),
    deliver: delivery('deliver', 'Say that it has arrived'),
    cancel: about('cancel', 'Cancel an order of which nothing is shipped; what was paid goes back'),
    refund: about('refund', 'Give the money of a paid order back; what is not shipped yet is cancelled'),
  })
}

function statusOf(given: string) {
  const status = ORDER_STATUSES.find(known => known === given)
  if (!status) throw new UsageError(`--status '${given}' is none of ${ORDER_STATUSES.join(', ')}`)
  return status
}
