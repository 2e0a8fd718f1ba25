import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import type { Order } from './order.ts'
import { customerOrders } from './customer-orders.ts'
import { group, noMore, plain } from './group.ts'
import { notifying } from './notify.ts'
import { Misuse, readChanges, readRates, readRatesFile } from './values.ts'

/** Carries an order out; `file` is what it reads. */
export type Give = (order: Order, file?: string) => Promise<void>

const LONGEST_NAME = 100

/** The operator's commands: what is typed becomes an order. Throws `Misuse`. */
export function defineMarket(give: Give) {
  const importing = defineCommand({
    meta: { name: 'import', description: 'Read a catalogue file: Shopify product CSV, or our own JSON' },
    args: {
      file: { type: 'positional', required: true, description: 'The file; - is standard input' },
      format: { type: 'string', valueHint: 'shopify|json', description: 'By default told by the file' },
      shipping: {
        type: 'string',
        valueHint: 'Kenya=5,Nigeria=7.5|FILE',
        description: 'Default rates of its shops, in USD',
      },
      images: { type: 'string', valueHint: 'DIR', description: 'Take pictures from a folder, by file name' },
      pictures: {
        type: 'boolean',
        default: true,
        description: 'Fetch pictures',
        negativeDescription: 'Leave pictures for later',
      },
    },
    async run({ args }) {
      noMore(args._, 1)
      await give(
        {
          command: 'import',
          format: args.format === undefined ? undefined : formatOf(args.format),
          shipping: args.shipping === undefined ? undefined : await readShipping(args.shipping),
          images: args.images === undefined ? undefined : resolve(args.images),
          hasPictures: args.pictures,
        },
        args.file,
      )
    },
  })

  const exporting = defineCommand({
    meta: { name: 'export', description: 'Write the catalogue to standard output' },
    args: { format: { type: 'string', valueHint: 'json|shopify', default: 'json', description: 'The format' } },
    async run({ args }) {
      noMore(args._, 0)
      await give({ command: 'export', format: formatOf(args.format) })
    },
  })

  const product = group('product', 'Change products', {
    set: defineCommand({
      meta: { name: 'set', description: 'Change one product: price=12.50 discount=10 stock=3 hidden=false' },
      args: {
        slug: { type: 'positional', required: true, description: 'The last part of the product’s address' },
        changes: { type: 'positional', required: false, description: 'price=12.50 discount=10 stock=3 hidden=false' },
      },
      run: ({ args }) => give({ command: 'product set', slug: args.slug, changes: readChanges(args._.slice(1)) }),
    }),
  })

  const seller = group('seller', 'Change shops', {
    add: defineCommand({
      meta: { name: 'add', description: 'Open a shop' },
      args: {
        name: { type: 'positional', required: true, description: 'What shoppers read' },
        description: { type: 'string', default: '', description: 'What the shop says of itself' },
        verified: { type: 'boolean', default: false, description: 'The shop is known to be who it says' },
      },
      async run({ args }) {
        noMore(args._, 1)
        const shopName = args.name.trim()
        if (shopName === '' || shopName.length > LONGEST_NAME)
          throw new Misuse(`A shop’s name has 1 to ${LONGEST_NAME} characters`)
        await give({ command: 'seller add', shopName, description: args.description, isVerified: args.verified })
      },
    }),
    verify: defineCommand({
      meta: { name: 'verify', description: 'Give a shop the badge' },
      args: {
        shop: { type: 'positional', required: true, description: 'Its key or name' },
        off: { type: 'boolean', default: false, description: 'Take the badge away' },
      },
      async run({ args }) {
        noMore(args._, 1)
        await give({ command: 'seller verify', shop: args.shop, isVerified: !args.off })
      },
    }),
    shipping: defineCommand({
      meta: { name: 'shipping', description: 'Set a shop’s default rates in USD: Kenya=5 "United States=12.50"' },
      args: {
        shop: { type: 'positional', required: true, description: 'Its key or name' },
        rates: { type: 'positional', required: false, description: 'Kenya=5 Nigeria=7.5 …' },
        none: { type: 'boolean', default: false, description: 'Ship nowhere' },
      },
      async run({ args }) {
        const typed = args._.slice(1)
        if ((typed.length === 0) !== args.none) throw new Misuse('Give rates such as Kenya=5, or --none')
        await give({ command: 'seller shipping', shop: args.shop, rates: readRates(typed) })
      },
    }),
  })

  const user = group('user', 'Look after customers', {
    token: defineCommand({
      meta: { name: 'token', description: 'Sign a customer in and print the bearer, for tests of the API' },
      args: { email: { type: 'positional', required: true, description: 'The customer’s address' } },
      async run({ args }) {
        noMore(args._, 1)
        await give({ command: 'user token', email: args.email })
      },
    }),
  })

  const demo = group('demo', 'The demonstration marketplace', {
    reset: plain('reset', 'Make the demo as it was at first', () => give({ command: 'demo reset' })),
    remove: plain('remove', 'Take the demo away for good', () => give({ command: 'demo remove' })),
  })

  const doctor = plain('doctor', 'Look the installation over', () => give({ command: 'doctor' }))
  return group('market', 'Run a Piazza marketplace', {
    import: importing,
    export: exporting,
    product,
    seller,
    order: customerOrders(give),
    user,
    notify: notifying(give),
    demo,
    doctor,
  })
}

function formatOf(given: string): 'shopify' | 'json' {
  if (given === 'shopify' || given === 'json') return given
  throw new Misuse(`--format '${given}' is neither shopify nor json`)
}

async function readShipping(given: string) {
  if (given.includes('=')) return readRates(given.split(',').map(rate => rate.trim()))
  const text = await readFile(given, 'utf8').catch((error: Error) => {
    throw new Misuse(`--shipping: ${error.message}`, { cause: error })
  })
  return readRatesFile(text, given)
}
