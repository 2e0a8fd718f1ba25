import {
  type Account,
  blockCustomer,
  type CustomerRecords,
  eraseCustomer,
  findAccount,
  listCustomers,
  readRecords,
} from '../customers.ts'
import { requireNoOpenOrders } from '#server/orders/erasing.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { singleLine } from '#server/platform/single-line.ts'
import { UnconfirmedError } from './confirm.ts'
import { many } from './describe.ts'
import type { Handlers } from './app-context.ts'
import { say } from './say.ts'
import { printList } from './table.ts'

/** Handlers of the commands for customers' accounts. */
export const customerHandlers = {
  async 'customer list'({ text, limit }, { database }, terminal) {
    const customers = await listCustomers(database.db, text, limit)
    const rows = customers.map(customer => {
      const { email, name, createdAt, orderCount } = customer
      return [email, name, `since ${dayOf(createdAt)}`, many(orderCount, 'order'), statesOf(customer)]
    })
    return printList(terminal, rows, { limit, none: 'No customer' })
  },

  async 'customer show'({ email }, { database: { db } }, terminal) {
    const account = await findAccount(db, email)
    const records = await readRecords(db, account)
    return say(terminal, describeCustomer(account, records).map(singleLine).join('\n'))
  },

  async 'customer block'({ email, isBlocked }, context, terminal) {
    const { database, sessions } = context
    const blocked = await blockCustomer(database.db, sessions, email, isBlocked)
    const state = isBlocked ? 'blocked' : 'not blocked'
    if (!blocked.isNew) return say(terminal, `${blocked.email} is ${state} already`)
    if (!isBlocked) return say(terminal, `${blocked.email} is no longer blocked`)
    return say(
      terminal,
      `${blocked.email} is blocked: ${many(blocked.endedCount, 'session')} ended, and nobody can sign in to it`,
    )
  },

  async 'customer erase'({ email, isConfirmed }, context, terminal) {
    const { database, sessions } = context
    if (!isConfirmed) {
      const account = await findAccount(database.db, email)
      await requireNoOpenOrders(database.db, account)
      const records = await readRecords(database.db, account)
      throw new UnconfirmedError(`This erases ${account.email} for good: ${describeErasure(records)}`)
    }
    const records = await eraseCustomer(database.db, sessions, email)
    return say(terminal, `Erased ${email}: ${describeErasure(records)}`)
  },
} satisfies Partial<Handlers>

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function statesOf({ blockedAt, emailConfirmedAt }: Account): string {
  return [...(blockedAt ? ['blocked'] : []), ...(emailConfirmedAt ? [] : ['not confirmed'])].join(', ')
}

function describeCustomer(account: Account, records: CustomerRecords): string[] {
  const { id, name, email, createdAt, country, blockedAt } = account
  const { orderCount, latestOrders, sessionCount, cartLineCount, wishlistCount, reviewCount, conversationCount } =
    records
  const states = statesOf(account)
  return [
    `${name} <${email}>${states && `, ${states}`}`,
    `${id}, since ${dayOf(createdAt)}${blockedAt ? `, blocked since ${dayOf(blockedAt)}` : ''}${country && `, ${country}`}`,
    `Signed in on ${many(sessionCount, 'browser')}; ${cartLineCount} in the cart, ${wishlistCount} on the wishlist`,
    `${many(reviewCount, 'review')}, ${many(conversationCount, 'chat')}, ${many(orderCount, 'order')}`,
    ...latestOrders.map(
      ({ number, createdAt, status, paymentStatus, priceCents }) =>
        `  ${number}  ${dayOf(createdAt)}  ${status}, ${paymentStatus}, $${plainDollars(priceCents)}`,
    ),
    ...(orderCount > latestOrders.length ? [`  and ${orderCount - latestOrders.length} more`] : []),
  ]
}

function describeErasure({ orderCount, reviewCount, conversationCount }: CustomerRecords): string {
  const gone = `the account, addresses, cart and wishlist, ${many(reviewCount, 'review')} and ${many(conversationCount, 'chat')}`
  return `${gone}; ${many(orderCount, 'order stays', 'orders stay')} without name and address`
}
