import { defineCommand } from 'citty'
import type { SendCommand, Talk } from './command.ts'
import { group, noMore } from './group.ts'
import { LIMIT, TEXT, YES } from './options.ts'
import { UsageError, readEmail, readLimit, readRates, readShopName } from './values.ts'

const shop = { type: 'positional', required: true, description: 'Its key or name' } as const

/** Defines the commands for shops. */
export function sellerCommands(sendCommand: SendCommand, talk: Talk) {
  return group('seller', 'Look after shops', {
    add: defineCommand({
      meta: { name: 'add', description: 'Open a shop' },
      args: {
        name: { type: 'positional', required: true, description: 'What shoppers read' },
        description: { type: 'string', default: '', description: 'What the shop says of itself' },
        verified: { type: 'boolean', default: false, description: 'The shop is known to be who it says' },
        email: { type: 'string', valueHint: 'ADDRESS', description: 'Where the shop hears of paid orders' },
      },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({
          name: 'seller add',
          shopName: readShopName('NAME', args.name),
          description: args.description.trim(),
          isVerified: args.verified,
          email: args.email === undefined ? undefined : readEmail(args.email),
        })
      },
    }),
    list: defineCommand({
      meta: { name: 'list', description: 'List shops: key, name, products, orders to ship' },
      args: { text: TEXT, limit: LIMIT },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'seller list', text: args.text, limit: readLimit(args.limit) })
      },
    }),
    show: defineCommand({
      meta: { name: 'show', description: 'Show one shop' },
      args: { shop },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'seller show', shop: args.shop })
      },
    }),
    rename: defineCommand({
      meta: { name: 'rename', description: 'Give a shop another name; its key stays' },
      args: { shop, name: { type: 'positional', required: true, description: 'What shoppers read from now on' } },
      async run({ args }) {
        noMore(args._, 2)
        await sendCommand({ name: 'seller rename', shop: args.shop, shopName: readShopName('NAME', args.name) })
      },
    }),
    email: defineCommand({
      meta: { name: 'email', description: 'Set where a shop hears of paid orders' },
      args: {
        shop,
        address: { type: 'positional', required: false, description: 'shop@example.com' },
        none: { type: 'boolean', default: false, description: 'Mail it nothing' },
      },
      async run({ args }) {
        noMore(args._, 2)
        if ((args.address === undefined) !== args.none)
          throw new UsageError('Give an address such as shop@example.com, or --none')
        await sendCommand({
          name: 'seller email',
          shop: args.shop,
          email: args.address === undefined ? null : readEmail(args.address),
        })
      },
    }),
    hide: defineCommand({
      meta: { name: 'hide', description: 'Take a shop and its products from the pages; its orders go on' },
      args: { shop, off: { type: 'boolean', default: false, description: 'Show it again' } },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'seller hide', shop: args.shop, isHidden: !args.off })
      },
    }),
    remove: defineCommand({
      meta: { name: 'remove', description: 'Remove a shop with its products and chats for good; orders stay' },
      args: { shop, yes: YES },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'seller remove', shop: args.shop, isConfirmed: args.yes })
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
        await sendCommand({ name: 'seller verify', shop: args.shop, isVerified: !args.off })
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
        if ((typed.length === 0) !== args.none) throw new UsageError('Give rates such as Kenya=5, or --none')
        await sendCommand({ name: 'seller shipping', shop: args.shop, rates: readRates(typed) })
      },
    }),
    ai: defineCommand({
      meta: { name: 'ai', description: 'Have a shop’s customers answered automatically' },
      args: { shop, off: { type: 'boolean', default: false, description: 'Answer by hand' } },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'seller ai', shop: args.shop, hasAi: !args.off })
      },
    }),
    token: defineCommand({
      meta: { name: 'token', description: 'Print a bearer for the seller’s side of the chat, good for 90 days' },
      args: { shop, revoke: { type: 'boolean', default: false, description: 'Take back all that the shop has' } },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: args.revoke ? 'seller revoke' : 'seller token', shop: args.shop })
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
