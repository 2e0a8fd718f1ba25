import { backUp } from '../backup/backup.ts'
import { findAccount } from '../customers.ts'
import { countOwnGoods } from '../demo/remove.ts'
import { createDemo } from '../demo/seed.ts'
import { exportJson } from '#server/catalogue/files/export-json.ts'
import { exportShopify } from '#server/catalogue/files/export-shopify.ts'
import { countFiles, namedKeys } from '#server/uploads/files.ts'
import { confirmByOperator } from '#server/accounts/email-confirmation.ts'
import { ServiceError } from '#server/platform/errors.ts'
import { countCustomers } from '#server/accounts/customers.ts'
import { notify } from '#server/notifications/notifications.ts'
import { singleLines } from '#server/platform/single-line.ts'
import type { AppContext, Handlers, Terminal } from './app-context.ts'
import { runDoctor } from './doctor.ts'
import { UNCONFIRMED, UnconfirmedError } from './confirm.ts'
import { customerHandlers } from './customer-handlers.ts'
import { customerOrderHandlers } from './customer-order-handlers.ts'
import { many } from './describe.ts'
import { handleImport } from './import-handlers.ts'
import type { Command } from './command.ts'
import { keyHandlers } from './keys.ts'
import { mediaHandlers } from './media.ts'
import { productHandlers } from './product-handlers.ts'
import { returnHandlers } from './return-handlers.ts'
import { reviewHandlers } from './review-handlers.ts'
import { say } from './say.ts'
import { searchHandlers } from './search-handlers.ts'
import { sellerHandlers } from './seller-handlers.ts'

/**
 * Runs a command. Resolves with its exit code once all listeners have received the changes, so that stored pages show
 * them. Resolves with `UNCONFIRMED` if the operator must confirm first.
 */
export async function handleCommand(command: Command, context: AppContext, terminal: Terminal): Promise<number> {
  try {
    const handler: (command: never, context: AppContext, terminal: Terminal) => Promise<number> = HANDLERS[command.name]
    const code = await handler(command as never, context, terminal)
    await context.database.settled()
    return code
  } catch (error) {
    const isUnconfirmed = error instanceof UnconfirmedError
    if (!isUnconfirmed && !(error instanceof ServiceError)) throw error
    await terminal.err(`${singleLines(error.message)}\n`)
    return isUnconfirmed ? UNCONFIRMED : 1
  }
}

const HANDLERS: Handlers = {
  import: handleImport,

  async export({ format }, { database: { db }, config }, { out, signal }) {
    for await (const piece of format === 'json' ? exportJson(db) : exportShopify(db, config.publicUrl)) {
      signal.throwIfAborted()
      await out(piece)
    }
    return 0
  },

  ...productHandlers,
  ...sellerHandlers,
  ...searchHandlers,
  ...keyHandlers,
  ...mediaHandlers,
  ...customerOrderHandlers,
  ...returnHandlers,
  ...customerHandlers,
  ...reviewHandlers,

  async 'user token'({ email }, { database: { db }, sessions }, terminal) {
    const { id, name, email: stored } = await findAccount(db, email)
    const { token } = await sessions.start({ id, name, email: stored }, { event: 'operator_login' })
    return say(terminal, token)
  },

  async 'user confirm'({ email }, { database: { db } }, terminal) {
    const customer = await findAccount(db, email)
    const isNew = await confirmByOperator(db, customer.id)
    return say(terminal, `${customer.email} is confirmed${isNew ? '' : ' already'}`)
  },

  async notify({ to, title, message, priority, link }, { database: { db } }, terminal) {
    const customer = to === undefined ? null : await findAccount(db, to)
    await notify(db, { title, message, priority, link, userId: customer?.id ?? null })
    return say(terminal, `Notified ${customer ? customer.email : many(await countCustomers(db), 'customer')}`)
  },

  async backup({ file }, { database: { db }, config, uploads }, terminal) {
    const { rows, bytes } = await backUp({ db, dataDir: config.dataDir, file, signal: terminal.signal })
    const { s3 } = config
    const missing = s3 ? 0 : (await countFiles(db)) - (await uploads.countNamed(keys => namedKeys(db, keys)))
    if (missing > 0)
      await terminal.err(
        `warning: the archive lacks ${many(missing, 'file')} of customers: look in the folder uploads of each other DATA_DIR\n`,
      )
    const bucket = s3 ? `. The bucket ${s3.bucket} needs a backup of its own` : ''
    return say(terminal, `${many(rows, 'row')}, pictures and files are in ${file} (${many(bytes, 'byte')})${bucket}`)
  },

  doctor: ({ isListing }, context, terminal) => runDoctor(context, terminal, { isListing }),

  async 'demo reset'({ isConfirmed }, context, terminal) {
    const { db } = context.database
    const own = await countOwnGoods(db)
    if (!isConfirmed && own.shops + own.products > 0)
      throw new UnconfirmedError(
        `This shop has ${many(own.products, 'product')} of its own in ${many(own.shops, 'shop')}: the demo is for trying out, and shoppers would see it beside them.`,
      )
    await createDemo(context).reset()
    return say(terminal, 'The demo marketplace is reset')
  },

  async 'demo remove'(_command, context, terminal) {
    await createDemo(context).remove()
    return say(terminal, 'The demo marketplace is removed')
  },
}
