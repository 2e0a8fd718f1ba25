import { backUp } from '#server/operators/backup/backup.ts'
import type { Database, Db } from '#server/db/open.ts'
import { countOwnGoods } from '#server/operators/demo/remove.ts'
import { createDemo } from '#server/operators/demo/seed.ts'
import { Refusal } from '#server/http/errors.ts'
import { exportJson } from '#server/catalogue/files/export-json.ts'
import { exportShopify } from '#server/catalogue/files/export-shopify.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { markConfirmed } from '#server/accounts/email-confirmation.ts'
import type { HoldLimits } from '#server/orders/hold-limits.ts'
import type { Media } from '#server/media/store.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { countCustomers, type Customer, findCustomer } from '#server/accounts/customers.ts'
import { notify } from '#server/notifications/notifications.ts'
import type { SellerTokens } from '#server/accounts/seller-tokens.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import { examine } from './doctor.ts'
import { UNCONFIRMED, UnconfirmedError } from './confirm.ts'
import { customerActs } from './customer-acts.ts'
import { customerOrderActs } from './customer-order-acts.ts'
import { many } from './describe.ts'
import { bringIn } from './import.ts'
import type { Order, OrderOf } from './order.ts'
import { singleLines } from '../../platform/single-line.ts'
import { productActs } from './product-acts.ts'
import { say } from './say.ts'
import { sellerActs } from './seller-acts.ts'

/** The open shop that an order is carried out in. */
export interface Premises {
  database: Database
  media: Media
  sessions: Sessions
  sellerTokens: SellerTokens
  jobs: Jobs
  dataDir: string
  publicUrl: string
  holdLimits: HoldLimits
  /** Why customers get no mail; null when they do. */
  mailProblem: string | null
  /** Where the shop listens on this machine; none of ours does without a running shop. */
  address?: string
}

/** The operator's terminal, wherever it is. */
export interface Terminal {
  read: AsyncIterable<Buffer>
  out(text: string): Promise<void>
  err(text: string): Promise<void>
  /** Whether standard error is looked at by a person. */
  isWatched: boolean
  signal: AbortSignal
}

/**
 * Carries an order out and returns the exit code, when stored pages have heard of what changed; `UNCONFIRMED` when the
 * operator has to say yes first.
 */
export async function perform(order: Order, premises: Premises, terminal: Terminal): Promise<number> {
  try {
    const act: (order: never, premises: Premises, terminal: Terminal) => Promise<number> = ACTS[order.command]
    const code = await act(order as never, premises, terminal)
    await premises.database.settled()
    return code
  } catch (error) {
    if (error instanceof UnconfirmedError) {
      await terminal.err(`${singleLines(error.message)}\n`)
      return UNCONFIRMED
    }
    if (!(error instanceof Refusal)) throw error
    await terminal.err(`${error.message}\n`)
    return 1
  }
}

type Act<Command extends Order['command']> = (
  order: OrderOf<Command>,
  premises: Premises,
  terminal: Terminal,
) => Promise<number>

const ACTS: { [Command in Order['command']]: Act<Command> } = {
  import: bringIn,

  async export({ format }, { database: { db }, publicUrl }, { out, signal }) {
    for await (const piece of format === 'json' ? exportJson(db) : exportShopify(db, publicUrl)) {
      signal.throwIfAborted()
      await out(piece)
    }
    return 0
  },

  ...productActs,
  ...sellerActs,
  ...customerOrderActs,
  ...customerActs,

  async 'user token'({ email }, { database: { db }, sessions }, terminal) {
    const customer = await requireCustomer(db, email)
    const { token } = await sessions.start(customer)
    await recordAudit(db, { event: 'operator_login', outcome: 'ok', actorId: customer.id })
    return say(terminal, token)
  },

  async 'user confirm'({ email }, { database: { db } }, terminal) {
    const customer = await requireCustomer(db, email)
    const isNew = await db.transaction(tx => markConfirmed(tx, customer.id))
    if (isNew)
      await recordAudit(db, {
        event: 'email_confirmed',
        outcome: 'ok',
        actorId: customer.id,
        details: { by: 'operator' },
      })
    return say(terminal, `${customer.email} is confirmed${isNew ? '' : ' already'}`)
  },

  async notify({ to, ...news }, { database: { db } }, terminal) {
    const customer = to === undefined ? null : await requireCustomer(db, to)
    await notify(db, { ...news, userId: customer?.id ?? null })
    return say(terminal, `Told ${customer ? customer.email : many(await countCustomers(db), 'customer')}`)
  },

  async backup({ file }, { database: { db }, dataDir }, terminal) {
    const { rows, bytes } = await backUp({ db, dataDir, file, signal: terminal.signal })
    return say(terminal, `${many(rows, 'row')}, pictures and files are in ${file} (${many(bytes, 'byte')})`)
  },

  doctor: ({ isListing }, premises, terminal) => examine(premises, terminal, isListing),

  async 'demo reset'({ isConfirmed }, premises, terminal) {
    const { db } = premises.database
    const own = await countOwnGoods(db)
    if (!isConfirmed && own.shops + own.products > 0)
      throw new UnconfirmedError(
        `This shop has ${many(own.products, 'product')} of its own in ${many(own.shops, 'shop')}: the demo is for trying out, and shoppers would see it beside them.`,
      )
    await createDemo(premises).reset()
    await recordAudit(db, { event: 'demo_reset', outcome: 'ok' })
    return say(terminal, 'The demo marketplace is as it was at first')
  },

  async 'demo remove'(_order, premises, terminal) {
    await createDemo(premises).remove()
    await recordAudit(premises.database.db, { event: 'demo_removed', outcome: 'ok' })
    return say(terminal, 'The demo marketplace is gone')
  },
}

async function requireCustomer(db: Db, email: string): Promise<Customer> {
  const customer = await findCustomer(db, email)
  if (!customer) throw new Refusal(404, `No customer has the address ${email}`)
  return customer
}
