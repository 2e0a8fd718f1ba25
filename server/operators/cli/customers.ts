import type { Command } from '@commander-js/extra-typings'
import type { SendCommand } from './command.ts'
import { LIMIT, TEXT, YES } from './options.ts'
import { readAnswer, readLimit } from './values.ts'

const EMAIL = ['<email>', 'The customer’s address'] as const

/** Adds the commands for customers' accounts. */
export function addCustomerCommands(market: Command, sendCommand: SendCommand): void {
  const customer = market.command('customer').description('Look after customers')
  customer
    .command('list')
    .description('List the newest customers: address, name, orders')
    .argument(...TEXT)
    .option(...LIMIT)
    .action((text = '', { limit }) => sendCommand({ name: 'customer list', text, limit: readLimit(limit) }))
  customer
    .command('show')
    .description('Show what the shop knows of one customer')
    .argument(...EMAIL)
    .action(email => sendCommand({ name: 'customer show', email }))
  customer
    .command('block')
    .description('Block a customer: end all sessions and reject logins')
    .argument(...EMAIL)
    .option('--off', 'Unblock the customer')
    .action((email, { off }) => sendCommand({ name: 'customer block', email, isBlocked: !off }))
  customer
    .command('erase')
    .description('Erase a customer for good; orders stay without name and address')
    .argument(...EMAIL)
    .option(...YES)
    .action((email, { yes: isConfirmed = false }) => sendCommand({ name: 'customer erase', email, isConfirmed }))
}

/** Adds the commands for reviews. */
export function addReviewCommands(market: Command, sendCommand: SendCommand): void {
  const review = market.command('review').description('Look after reviews')
  review
    .command('list')
    .description('List the newest reviews with their ids')
    .argument('[slug]', 'Only those of this product: the end of its address')
    .option(...LIMIT)
    .action((slug, { limit }) => sendCommand({ name: 'review list', slug, limit: readLimit(limit) }))
  review
    .command('reports')
    .description('List reviews that customers have reported, the most reported first')
    .option('--all', 'Also those that are hidden, or whose reports were dismissed')
    .option(...LIMIT)
    .action(({ all: isAll = false, limit }) => sendCommand({ name: 'review reports', isAll, limit: readLimit(limit) }))
  review
    .command('show')
    .description('Show the whole text of a review with its pictures; their addresses work for an hour or two')
    .argument('<id>', 'The review’s id, as review list has it')
    .action(id => sendCommand({ name: 'review show', id }))
  review
    .command('dismiss')
    .description('Dismiss the reports of a review: it stays on the pages')
    .argument('<id>', 'The review’s id, as review reports has it')
    .action(id => sendCommand({ name: 'review dismiss', id }))
  review
    .command('answer')
    .description('Publish a shop’s answer to a review, once')
    .argument('<id>', 'The review’s id, as review list has it')
    .argument('<answer>', 'What the shop says')
    .action((id, answer) => sendCommand({ name: 'review answer', id, answer: readAnswer(answer) }))
  review
    .command('hide')
    .description('Hide a review; its rating no longer counts')
    .argument('<id>', 'The review’s id, as review list has it')
    .option('--off', 'Show it again')
    .action((id, { off }) => sendCommand({ name: 'review hide', id, isHidden: !off }))
}

/** Adds the commands that sign a customer in, or confirm their address. */
export function addUserCommands(market: Command, sendCommand: SendCommand): void {
  const user = market.command('user').description('Sign a customer in, or confirm their address')
  user
    .command('token')
    .description('Sign a customer in and print the bearer, for tests of the API')
    .argument(...EMAIL)
    .action(email => sendCommand({ name: 'user token', email }))
  user
    .command('confirm')
    .description('Confirm a customer’s email address, for those whom no mail reaches')
    .argument(...EMAIL)
    .action(email => sendCommand({ name: 'user confirm', email }))
}
