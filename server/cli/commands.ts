import { defineCommand } from 'citty'
import type { Order } from './order.ts'
import { backups, type BringBack } from './backups.ts'
import { contentCommands, type Publish } from './content.ts'
import { customerOrders } from './customer-orders.ts'
import { group, noMore, plain } from './group.ts'
import { importing } from './importing.ts'
import { notifying } from './notify.ts'
import { sellerCommands } from './sellers.ts'
import { formatOf, readChanges } from './values.ts'

/** Carries an order out; `file` is what it reads. */
export type Give = (order: Order, file?: string) => Promise<void>

/** Opens a shop's chat in this terminal. */
export type Talk = (shop: string) => Promise<void>

/** The operator's commands: what is typed becomes an order. Throws `Misuse`. */
export function defineMarket(give: Give, talk: Talk, bringBack: BringBack, publish: Publish) {
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

  const user = group('user', 'Look after customers', {
    token: defineCommand({
      meta: { name: 'token', description: 'Sign a customer in and print the bearer, for tests of the API' },
      args: { email: { type: 'positional', required: true, description: 'The customer’s address' } },
      async run({ args }) {
        noMore(args._, 1)
        await give({ command: 'user token', email: args.email })
      },
    }),
    confirm: defineCommand({
      meta: { name: 'confirm', description: 'Confirm a customer’s email address, for those whom no mail reaches' },
      args: { email: { type: 'positional', required: true, description: 'The customer’s address' } },
      async run({ args }) {
        noMore(args._, 1)
        await give({ command: 'user confirm', email: args.email })
      },
    }),
  })

  const demo = group('demo', 'The demonstration marketplace', {
    reset: plain('reset', 'Make the demo as it was at first', () => give({ command: 'demo reset' })),
    remove: plain('remove', 'Take the demo away for good', () => give({ command: 'demo remove' })),
  })

  const doctor = plain('doctor', 'Look the installation over', () => give({ command: 'doctor' }))
  return group('market', 'Run a Piazza marketplace', {
    import: importing(give),
    export: exporting,
    product,
    seller: sellerCommands(give, talk),
    order: customerOrders(give),
    user,
    notify: notifying(give),
    content: contentCommands(publish),
    demo,
    ...backups(give, bringBack),
    doctor,
  })
}
