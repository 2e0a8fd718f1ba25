import { defineCommand } from 'citty'
import type { SendCommand } from './command.ts'
import { group, noMore } from './group.ts'
import { LIMIT, TEXT, YES } from './options.ts'
import { readLimit } from './values.ts'

const email = { type: 'positional', required: true, description: 'The customer’s address' } as const

/** Defines the commands for customers' accounts. */
export function customerCommands(sendCommand: SendCommand) {
  return group('customer', 'Look after customers', {
    list: defineCommand({
      meta: { name: 'list', description: 'List the newest customers: address, name, orders' },
      args: { text: TEXT, limit: LIMIT },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'customer list', text: args.text, limit: readLimit(args.limit) })
      },
    }),
    show: defineCommand({
      meta: { name: 'show', description: 'Show what the shop knows of one customer' },
      args: { email },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'customer show', email: args.email })
      },
    }),
    block: defineCommand({
      meta: { name: 'block', description: 'Sign a customer out and let them in no more' },
      args: { email, off: { type: 'boolean', default: false, description: 'Let them in again' } },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'customer block', email: args.email, isBlocked: !args.off })
      },
    }),
    erase: defineCommand({
      meta: { name: 'erase', description: 'Erase a customer for good; orders stay without name and address' },
      args: { email, yes: YES },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'customer erase', email: args.email, isConfirmed: args.yes })
      },
    }),
  })
}

/** Defines the commands for reviews. */
export function reviewCommands(sendCommand: SendCommand) {
  return group('review', 'Look after reviews', {
    list: defineCommand({
      meta: { name: 'list', description: 'List the newest reviews with their ids' },
      args: {
        slug: {
          type: 'positional',
          required: false,
          description: 'Only those of this product: the end of its address',
        },
        limit: LIMIT,
      },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'review list', slug: args.slug, limit: readLimit(args.limit) })
      },
    }),
    hide: defineCommand({
      meta: { name: 'hide', description: 'Take a review from the pages; its stars do not count' },
      args: {
        id: { type: 'positional', required: true, description: 'The review’s id, as review list has it' },
        off: { type: 'boolean', default: false, description: 'Show it again' },
      },
      async run({ args }) {
        noMore(args._, 1)
        await sendCommand({ name: 'review hide', id: args.id, isHidden: !args.off })
      },
    }),
  })
}
