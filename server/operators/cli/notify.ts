import { defineCommand } from 'citty'
import { isShopPath, LONGEST_TEXT, LONGEST_TITLE, PRIORITIES } from '#contract/notifications.ts'
import type { SendCommand } from './command.ts'
import { noMore } from './group.ts'
import { UsageError } from './values.ts'

/** Defines the command that sends notifications to customers. */
export function notifying(sendCommand: SendCommand) {
  return defineCommand({
    meta: { name: 'notify', description: 'Tell one customer something, or all' },
    args: {
      title: { type: 'positional', required: true, description: 'A few words' },
      message: { type: 'positional', required: true, description: 'A few sentences' },
      to: { type: 'string', valueHint: 'EMAIL', description: 'Only this customer; without it everybody' },
      priority: { type: 'string', valueHint: PRIORITIES.join('|'), default: 'medium', description: 'How urgent it is' },
      link: { type: 'string', valueHint: '/products', description: 'A page of the shop that tells more' },
    },
    async run({ args }) {
      noMore(args._, 2)
      await sendCommand({
        name: 'notify',
        title: textOf('title', args.title, LONGEST_TITLE),
        message: textOf('message', args.message, LONGEST_TEXT),
        to: args.to,
        priority: priorityOf(args.priority),
        link: args.link === undefined ? undefined : linkOf(args.link),
      })
    },
  })
}

function textOf(name: string, given: string, longest: number): string {
  const text = given.trim()
  if (text === '' || text.length > longest) throw new UsageError(`The ${name} has 1 to ${longest} characters`)
  if (!text.isWellFormed()) throw new UsageError(`The ${name} holds characters that are no text`)
  return text
}

function priorityOf(given: string) {
  const priority = PRIORITIES.find(known => known === given)
  if (!priority) throw new UsageError(`--priority '${given}' is none of ${PRIORITIES.join(', ')}`)
  return priority
}

function linkOf(given: string): string {
  if (!isShopPath(given)) throw new UsageError(`--link '${given}' is not a path of the shop such as /products`)
  return given
}
