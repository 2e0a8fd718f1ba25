import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { openAssistants } from './chat/ai/open.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Database } from './db/types.ts'
import { openDatabase } from './db/open.ts'
import { transact } from './db/transact.ts'
import { jobHandlers } from './handlers.ts'
import { type Jobs, openJobs } from './platform/jobs.ts'
import { type Limits, openLimits } from './http/limits.ts'
import { acquireLock } from './platform/lock.ts'
import { openMail } from './mail/open.ts'
import { sweepDrafts } from './media/files.ts'
import { type Media, openMedia } from './media/store.ts'
import { askingFor } from './http/mount.ts'
import { armFailpoint } from './platform/failpoints.ts'
import { withFailpoints } from './payments/failpoints.ts'
import { openPayments } from './payments/providers/open.ts'
import { sendWebhook } from './payments/providers/sandbox/delivery.ts'
import { announceNotifications } from './realtime/announce-notifications.ts'
import { openRealtimeLater } from './realtime/later.ts'
import { fillReserve, freeReserve, isAlmostFull } from './platform/disk-reserve.ts'
import type { Realtime } from './realtime/open.ts'
import { openSecrets } from './platform/secrets.ts'
import { namedKeys } from './chat/chat-files.ts'
import { sweepNotifications } from './notifications/notifications.ts'
import { sweepRequests } from './orders/requests.ts'
import { openPasswords } from './accounts/passwords.ts'
import { payRefunds, reconcile, releaseUnpaid } from './payments/reconciling.ts'
import { sweepRemovedLines } from './cart/cart.ts'
import { openRates } from './rates/rates.ts'
import { openSellerTokens, type SellerTokens } from './accounts/seller-tokens.ts'
import { openSessions, type Sessions } from './accounts/sessions.ts'
import { refreshStatistics, refreshUnitsSold, sweepExpired } from './catalogue/upkeep.ts'
import { repeat } from './platform/timers.ts'
import { openUploads, type Uploads } from './chat/uploads/open.ts'

export interface OpenProvider {
  database: Database
  media: Media
  sessions: Sessions
  sellerTokens: SellerTokens
  realtime: Realtime
  /** Not started yet: queued jobs wait until `start` is called. */
  jobs: Jobs
  limits: Limits
  /** `connection` is where the request came in. Requests without one are this process's own and not rate-limited. */
  fetch: (request: Request, connection?: HttpBindings | Http2Bindings) => Response | Promise<Response>
  /** For pages rendered in this process (see `askingFor`). */
  ask: (request: Request) => Promise<Response>
  close(): Promise<void>
}

const DAY_MS = 24 * 3600_000
/** Soon after the start, so that a shop that is restarted every day gets its daily upkeep too. */
const FIRST_MS = 5 * 60_000
/** How late the units of an unpaid order may be released after its time is up. */
const SWEEP_MS = 30_000
/** How late a payment may be noticed when its webhook is lost. */
const RECONCILE_MS = 5 * 60_000

/** Opens the data folder, the database and the API. Throws if another process uses the folder. */
export async function openProvider(config: Config, log: Logger): Promise<OpenProvider> {
  const lock = await acquireLock(config.dataDir)
  try {
    if (isAlmostFull(config.dataDir)) freeReserve(config.dataDir)
    const secrets = await openSecrets(join(config.dataDir, 'secrets'))
    const database = await openDatabase({
      url: config.databaseUrl,
      folder: join(config.dataDir, 'db'),
      onError: error => log.warn({ err: error }, 'the database connection failed'),
    })
    const told = { db: database.db, onChange: database.onChange }
    fillReserve(config.dataDir)
    const media = openMedia({ folder: join(config.dataDir, 'media'), log })
    const rates = openRates({ db: database.db, url: config.ratesUrl, log })
    const limits = openLimits({ database, rules: config.limits })
    const sessions = openSessions({ ...told, secrets, bearerMinutes: config.bearerMinutes })
    const { s3, diskReserve } = config
    const uploads = openUploads({ folder: join(config.dataDir, 'uploads'), s3, diskReserve, secrets, log })
    const passwords = openPasswords()
    const { smtpUrl, supportEmail, publicUrl } = config
    const mail = openMail({
      smtpUrl,
      folder: join(config.dataDir, 'mail'),
      from: supportEmail,
      printsLinks: config.printsMailLinks,
    })
    const handlers = jobHandlers({
      db: database.db,
      mail,
      publicUrl,
      limits,
      paymentContext: () => paymentContext,
      sendSandboxWebhook: reference => sendWebhook(payments, reference, request => app.fetch(request)),
    })
    const jobs = openJobs({ database, handlers, log })
    const opened = openPayments(config.payment, { db: database.db, jobs, secrets })
    const payments = opened && config.failAt ? withFailpoints(opened) : opened
    const sellerTokens = openSellerTokens({ ...told, secrets })
    const socketOptions = { sessions, sellerTokens, limits }
    const realtime = openRealtimeLater({ db: database.db, addressOf: uploads.addressOf, ...socketOptions, config, log })
    const { announcer } = realtime
    const paymentContext = { db: database.db, jobs, provider: payments, log }
    const assistants = openAssistants(config.gemini)
    const parts = {
      database,
      media,
      uploads,
      rates,
      limits,
      jobs,
      sessions,
      passwords,
      payments,
      announcer,
      assistants,
    }
    const app = createApp({ ...parts, config, log })
    await announceNotifications(database, announcer)
    armFailpoint(config.failAt)
    const onError = (error: unknown) => log.error({ err: error }, 'upkeep failed')
    const upkeep = [
      repeat({ everyMs: DAY_MS, firstMs: FIRST_MS, work: () => lookAfter(database, uploads, config.dataDir), onError }),
      repeat({ everyMs: SWEEP_MS, work: () => releaseUnpaid(paymentContext), onError }),
      repeat({ everyMs: RECONCILE_MS, work: () => reconcile(paymentContext), onError }),
      repeat({ everyMs: SWEEP_MS, work: () => payRefunds(paymentContext), onError }),
    ]
    return {
      database,
      media,
      sessions,
      sellerTokens,
      realtime,
      jobs,
      limits,
      fetch: (request, connection) => app.fetch(request, connection),
      ask: askingFor(app),
      async close() {
        await realtime.close()
        await Promise.all(upkeep.map(each => each.close()))
        await jobs.close()
        await media.close()
        await database.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Runs all daily upkeep tasks even when some fail, then throws an `AggregateError` of the failures. */
async function lookAfter(database: Database, uploads: Uploads, dataDir: string): Promise<void> {
  const { db } = database
  const tasks = [
    () => transact(db, refreshUnitsSold),
    () => sweepExpired(db),
    () => sweepRemovedLines(db, new Date(Date.now() - DAY_MS)),
    () => sweepRequests(db),
    () => uploads.sweep(keys => namedKeys(db, keys)),
    () => sweepNotifications(db),
    () => sweepDrafts(dataDir, DAY_MS),
    () => refreshStatistics(database),
  ]
  const failures: unknown[] = []
  for (const task of tasks) await task().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'some of the daily upkeep failed')
}
