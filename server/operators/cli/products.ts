import { defineCommand } from 'citty'
import type { SendCommand } from './command.ts'
import { group, noMore } from './group.ts'
import { LIMIT, TEXT, YES } from './options.ts'
import { readChanges, readLimit } from './values.ts'

const slug = { type: 'positional', required: true, description: 'The last part of the product’s address' } as const

/** Defines the commands for products. */
export function productCommands(sendCommand: SendCommand) {
  return group('product', 'Look after products', {
    list: defineCommand({
      meta: { name: 'list', description: 'List products by slug: price, stock, shop' },
      args: {
        text: TEXT,
        shop: { type: 'string', valueHint: 'SHOP', description: 'Only those of this shop: its key or name' },
        hidden: { type: 'boolean', default: false, description: 'Only those that shoppers do not see' },
        limit: LIMIT,
      },
      async run({ args }) {
        noMore(args._, 1)
        const { text, shop, hidden: isHiddenOnly } = args
        await sendCommand({ name: 'product list', text, shop, isHiddenOnly, limit: readLimit(args.limit) })
      },
    }),
    show: defineCommand({
      meta: { name: 'show', description: 'Show one product, and which orders and carts hold it' },
      args: { slug },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'product show', slug: args.slug })
      },
    }),
    set: defineCommand({
      meta: { name: 'set', description: 'Change one product: price=12.50 discount=10 stock=3 hidden=false' },
      args: {
        slug,
        changes: { type: 'positional', required: false, description: 'price=12.50 discount=10 stock=3 hidden=false' },
        variant: { type: 'string', valueHint: 'SKU', description: 'Change only the variant with this SKU' },
      },
      run: ({ args }) =>
        sendCommand({
          name: 'product set',
          slug: args.slug,
          sku: args.variant,
          changes: readChanges(args._.slice(1)),
        }),
    }),
    remove: defineCommand({
      meta: { name: 'remove', description: 'Remove one product with its reviews for good; orders keep it' },
      args: { slug, yes: YES },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'product remove', slug: args.slug, isConfirmed: args.yes })
      },
    }),
  })
}
