import { defineCommand } from 'citty'
import type { Give, Talk } from './commands.ts'
import { group, noMore } from './group.ts'
import { Misuse, readRates } from './values.ts'

const LONGEST_NAME = 100
const shop = { type: 'positional', required: true, description: 'Its key or name' } as const

/** What an operator does with shops, and in their name. */
export function sellerCommands(give: Give, talk: Talk) {
  return group('seller', 'Look after shops', {
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
        await give({ command: 'seller add', shopName, description: args.description.trim(), isVerified: args.verified })
      },
    }),
    verify: defineCommand({
      meta: { name: 'verify', description: 'Give a shop the badge' },
      args: {
        shop,
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
        shop,
        rates: { type: 'positional', required: false, description: 'Kenya=5 Nigeria=7.5 …' },
        none: { type: 'boolean', default: false, description: 'Ship nowhere' },
      },
      async run({ args }) {
        const typed = args._.slice(1)
        if ((typed.length === 0) !== args.none) throw new Misuse('Give rates such as Kenya=5, or --none')
        await give({ command: 'seller shipping', shop: args.shop, rates: readRates(typed) })
      },
    }),
    ai: defineCommand({
      meta: { name: 'ai', description: 'Have a shop’s customers answered automatically' },
      args: { shop, off: { type: 'boolean', default: false, description: 'Answer by hand' } },
      async run({ args }) {
        noMore(args._, 1)
        await give({ command: 'seller ai', shop: args.shop, hasAi: !args.off })
      },
    }),
    token: defineCommand({
      meta: { name: 'token', description: 'Print a bearer for the seller’s side of the chat, good for 90 days' },
      args: { shop, revoke: { type: 'boolean', default: false, description: 'Take back all that the shop has' } },
      async run({ args }) {
        noMore(args._, 1)
        await give({ command: args.revoke ? 'seller revoke' : 'seller token', shop: args.shop })
      },
    }),
    chat: defineCommand({
      meta: { name: 'chat', description: 'Talk to a shop’s customers in this terminal' },
      args: { shop },
      async run({ args }) {
        noMore(args._, 1)
        await talk(args.shop)
      },
    }),
  })
}
