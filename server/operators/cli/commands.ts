import { defineCommand } from 'citty'
import type { SendCommand, Talk } from './command.ts'
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

/** Defines the command line; each call becomes a `Command`. Throws a `UsageError` for arguments that make none. */
export function defineMarket(sendCommand: SendCommand, talk: Talk, bringBack: BringBack, publish: Publish) {
  const exporting = defineCommand({
    meta: { name: 'export', description: 'Write the catalogue to standard output' },
    args: { format: { type: 'string', valueHint: 'json|shopify', default: 'json', description: 'The format' } },
    async run({ args }) {
      noMore(args._, 0)
      await sendCommand({ name: 'export', format: formatOf(args.format) })
    },
  })

  const user = group('user', 'Sign a customer in, or confirm their address', {
    token: defineCommand({
      meta: { name: 'token', description: 'Sign a customer in and print the bearer, for tests of the API' },
      args: { email: { type: 'positional', required: true, description: 'The customer’s address' } },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'user token', email: args.email })
      },
    }),
    confirm: defineCommand({
      meta: { name: 'confirm', description: 'Confirm a customer’s email address, for those whom no mail reaches' },
      args: { email: { type: 'positional', required: true, description: 'The customer’s address' } },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'user confirm', email: args.email })
      },
    }),
  })

  const demo = group('demo', 'The demonstration marketplace', {
    reset: defineCommand({
      meta: { name: 'reset', description: 'Make the demo as it was at first' },
      args: { yes: { ...YES, description: 'Also beside goods of the shop’s own, without asking' } },
      async run({ args }) {
        noMore(args._, 0)
        await sendCommand({ name: 'demo reset', isConfirmed: args.yes })
      },
    }),
    remove: plain('remove', 'Take the demo away for good', () => sendCommand({ name: 'demo remove' })),
  })

  const doctor = defineCommand({
    meta: { name: 'doctor', description: 'Look the installation over' },
    args: { list: { type: 'boolean', default: false, description: 'Name every product that is counted' } },
    async run({ args }) {
      noMore(args._, 0)
      await sendCommand({ name: 'doctor', isListing: args.list })
    },
  })
  return group('market', 'Run a Piazza marketplace', {
    import: importing(sendCommand),
    export: exporting,
    product: productCommands(sendCommand),
    seller: sellerCommands(sendCommand, talk),
    order: customerOrders(sendCommand),
    customer: customerCommands(sendCommand),
    review: reviewCommands(sendCommand),
    user,
    notify: notifying(sendCommand),
    content: contentCommands(publish),
    demo,
    ...backups(sendCommand, bringBack),
    doctor,
  })
}
