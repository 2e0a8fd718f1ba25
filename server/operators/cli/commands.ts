import { defineCommand } from 'citty'
import type { Order } from './order.ts'
import { backups, type BringBack } from './backups.ts'
import { contentCommands, type Publish } from './content.ts'
import { customerOrders } from './customer-orders.ts'
import { customerCommands, reviewCommands } from './customers.ts'
import { group, noMore, plain } from './group.ts'
import { importing } from './importing.ts'
import { notifying } from './notify.ts'
import { YES } from './options.ts'
import { productCommands } from './products.ts'
import { sellerCommands } from './sellers.ts'
import { formatOf } from './values.ts'

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

  const user = group('user', 'Sign a customer in, or confirm their address', {
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
    reset: defineCommand({
      meta: { name: 'reset', description: 'Make the demo as it was at first' },
      args: { yes: { ...YES, description: 'Also beside goods of the shop’s own, without asking' } },
      async run({ args }) {
        noMore(args._, 0)
        await give({ command: 'demo reset', isConfirmed: args.yes })
      },
    }),
    remove: plain('remove', 'Take the demo away for good', () => give({ command: 'demo remove' })),
  })

  const doctor = defineCommand({
    meta: { name: 'doctor', description: 'Look the installation over' },
    args: { list: { type: 'boolean', default: false, description: 'Name every product that is counted' } },
    async run({ args }) {
      noMore(args._, 0)
      await give({ command: 'doctor', isListing: args.list })
    },
  })
  return group('market', 'Run a Piazza marketplace', {
    import: importing(give),
    export: exporting,
    product: productCommands(give),
    seller: sellerCommands(give, talk),
    order: customerOrders(give),
    customer: customerCommands(give),
    review: reviewCommands(give),
    user,
    notify: notifying(give),
    content: contentCommands(publish),
    demo,
    ...backups(give, bringBack),
    doctor,
  })
}
