import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { join } from 'node:path'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { DAY_MS } from '#contract/rules.ts'
import { mailNewAddress } from './accounts/email-change.ts'
import { mailDeletion } from './accounts/deletion.ts'
import { mailConfirmation } from './accounts/email-confirmation.ts'
import { mailReset } from './accounts/password-reset.ts'
import { openPasswords, type Passwords } from './accounts/passwords.ts'
import { openSellerTokens, type SellerTokens } from './accounts/seller-tokens.ts'
import { openSessions, type Sessions } from './accounts/sessions.ts'
import { createApp } from './app.ts'
import { mailAlert } from './cart/alert-mail.ts'
import { followAlerts, deliverAlerts } from './cart/alert-delivery.ts'
import { type Assistants, openAssistants } from './chat/ai/assistants.ts'
import type { Announcer } from './chat/announcer.ts'
import { openUploads, type Uploads } from './uploads/uploads.ts'
import { openThumbnails } from './uploads/thumbnails.ts'
import type { Config } from './config.ts'
import { exclusivelyByKey } from './db/exclusively-by-key.ts'
import { openDatabase } from './db/database.ts'
import type { Database } from './db/types.ts'
import type { Env } from './http/env.ts'
import { type Limits, openLimits } from './http/limits.ts'
import { inProcessFetch } from './http/mount.ts'
import { accountNotice } from './mail/account-letters.ts'
import { type Mailer, openMailer } from './mail/mailer.ts'
import { openUnsubscribeLinks } from './mail/unsubscribe-links.ts'
import { linkSharedMedia } from './media/shared-folder.ts'
import { type Media, openMedia } from './media/store.ts'
import { eraseDueAccounts } from './orders/erasing.ts'
import { mailOrder } from './orders/mail.ts'
import { openTrackingLinks } from './orders/tracking.ts'
import { mailReviewRequest } from './orders/review-requests.ts'
import { mailSeller } from './orders/seller-mail.ts'
import type { PaymentContext } from './payments/context.ts'
import { applyEvent } from './payments/events.ts'
import { withFailpoints } from './payments/failpoints.ts'
import { openPayments } from './payments/providers/configured-provider.ts'
import { sendWebhook } from './payments/providers/sandbox/delivery.ts'
import { reconcile, releaseUnpaid } from './payments/reconciling.ts'
import { payRefund, payRefunds } from './payments/refund-paying.ts'
import { openDownloads } from './personal-data/downloads.ts'
import { makeDataFolder, refuseRoot } from './platform/data-folder.ts'
import { fillReserve, freeReserve, isAlmostFull } from './platform/disk-reserve.ts'
import type { Instruments } from './platform/instruments.ts'
import { armFailpoint } from './platform/failpoints.ts'
import { type Handlers, type JobOptions, type Jobs, openJobs } from './platform/jobs.ts'
import { acquireLock } from './platform/lock.ts'
import { runAll } from './platform/run-all.ts'
import type { Secrets } from './platform/secrets.ts'
import { openSigningKeys } from './platform/signing-keys.ts'
import { repeat, type Repeated } from './platform/timers.ts'
import { mailReturn } from './returns/mail.ts'
import { closeReturns, completeReturn, moveDueReturns } from './returns/due.ts'
import { openRates } from './rates/rates.ts'
import { announceChanges } from './realtime/announce-changes.ts'
import { openRealtimeLater } from './realtime/lazy-socket-server.ts'
import type { Realtime } from './realtime/socket-server.ts'
import { doDailyUpkeep, sweepFolder } from './upkeep/daily-upkeep.ts'

/** What the provider is built on. The shop, the command line and the tests bring their own. */
interface Foundation {
  database: Database
  secrets: Secrets
  media: Media
  mail: Mailer
  log: Logger
  jobOptions?: JobOptions
  passwords?: Passwords
  assistants?: Assistants
  announcer?: Announcer
  /** Requests to the exchange-rate service. */
  fetchRates?: typeof globalThis.fetch
  now?: () => number
}

export interface Provider {
  config: Config
  database: Database
  media: Media
  uploads: Uploads
  sessions: Sessions
  sellerTokens: SellerTokens
  passwords: Passwords
  realtime: Realtime
  jobs: Jobs
  limits: Limits
  paymentContext: PaymentContext
  app: Hono<Env>
  /** `connection` is where the request came in. Requests without one are this process's own and not rate-limited. */
  fetch: (request: Request, connection?: HttpBindings | Http2Bindings) => Response | Promise<Response>
  /** For pages rendered in this process (see `inProcessFetch`). */
  fetchInProcess: (request: Request) => Promise<Response>
  /** Starts working on queued and scheduled jobs, and sweeping the data folder. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Soon after the start, so that the folder of a shop that is restarted every day is swept too. */
const FIRST_MS = 5 * 60_000

/** Builds the provider. Queued jobs and upkeep wait until `start` is called; `close` leaves the foundation open. */
export async function createProvider(config: Config, foundation: Foundation): Promise<Provider> {
  const { database, secrets, media, mail, log, now, fetchRates, jobOptions } = foundation
  const { passwords = openPasswords(), assistants = openAssistants(config.gemini) } = foundation
  const { db, onChange } = database
  const { publicUrl, s3, diskReserve, dataDir } = config
  const rates = openRates({ db, url: config.ratesUrl, log, fetch: fetchRates })
  const limits = openLimits({ database, rules: config.limits })
  const sessions = openSessions({ db, onChange, secrets, bearerMinutes: config.bearerMinutes, now })
  const sellerTokens = openSellerTokens({ db, onChange, secrets, now })
  const uploads = openUploads({ folder: join(dataDir, 'uploads'), s3, diskReserve, secrets, log, now })
  const thumbnails = openThumbnails({ uploads, folder: join(dataDir, 'thumbnails'), log })
  const downloads = openDownloads({ db, uploads, secrets, now })
  const trackingLinks = openTrackingLinks({ db, secrets, now })
  const unsubscribeLinks = openUnsubscribeLinks({ secrets, now })
  const handlers: Handlers = {
    passwordReset: ({ email }) => mailReset({ db, mail, publicUrl, limits }, email),
    emailConfirmation: ({ userId }) => mailConfirmation({ db, mail, publicUrl, limits }, userId),
    newAddress: ({ userId }) => mailNewAddress({ db, mail, publicUrl, limits }, userId),
    deletionMail: about => mailDeletion({ db, mail, publicUrl }, about),
    accountMail: about => mail.send({ to: about.email, ...accountNotice(about) }),
    orderMail: about => mailOrder({ db, mail, publicUrl, trackingLinks, limits }, about),
    reviewMail: ({ sellerOrderId }) =>
      mailReviewRequest({ db, mail, publicUrl, unsubscribeLinks, limits }, sellerOrderId),
    sellerMail: about => mailSeller({ db, mail, publicUrl }, about),
    returnMail: about => mailReturn({ db, mail, publicUrl, trackingLinks, limits }, about),
    alertMail: about => mailAlert({ db, mail, publicUrl, unsubscribeLinks, limits }, about),
    paymentEvent: event => applyEvent(paymentContext, event),
    refund: ({ attemptId }) => payRefund(paymentContext, attemptId),
    refundPaid: ({ refundId }) => completeReturn(db, jobs, { refundId }),
    returnPaid: ({ returnId }) => completeReturn(db, jobs, { returnId }),
    orderRefunded: ({ orderId }) => closeReturns(db, jobs, orderId),
    releaseUnpaid: (_, closing) => releaseUnpaid(paymentContext, closing),
    payRefunds: () => payRefunds(paymentContext),
    deliverAlerts: (_, closing) => deliverAlerts({ db, jobs, closing }),
    reconcile: (_, closing) => reconcile(paymentContext, closing),
    moveDueReturns: () => moveDueReturns(db, jobs),
    dailyUpkeep: () =>
      doDailyUpkeep(database, { jobs, uploads, eraseAccounts: () => eraseDueAccounts({ db, sessions, jobs }) }),
    sandboxWebhook: ({ reference }) => sendWebhook(paymentContext.provider, reference, request => app.fetch(request)),
  }
  const jobs = openJobs({ database, handlers, log, ...jobOptions })
  const payments = openPayments(config.payment, { db, jobs, secrets })
  const provider = payments && config.failAt ? withFailpoints(payments) : payments
  const paymentContext: PaymentContext = { db, jobs, provider, log }
  const { addressOf } = uploads
  const { listenUrl } = database
  const realtime = openRealtimeLater({ db, jobs, addressOf, sessions, sellerTokens, limits, config, log, listenUrl })
  const { announcer = realtime.announcer } = foundation
  const services = {
    database,
    media,
    uploads,
    thumbnails,
    downloads,
    trackingLinks,
    rates,
    limits,
    jobs,
    sessions,
    passwords,
    announcer,
    assistants,
    unsubscribeLinks,
  }
  const app = createApp({ ...services, paymentContext, config, log })
  await announceChanges(database, foundation.announcer ?? realtime.localAnnouncer)
  const alerts = followAlerts({ db, jobs, log })
  await onChange(alerts.onChange)
  armFailpoint(config.failAt)
  const onError = (error: unknown) => log.error({ err: error }, 'the folder could not be swept')
  let sweeping: Repeated | undefined
  return {
    config,
    database,
    media,
    uploads,
    sessions,
    sellerTokens,
    realtime,
    jobs,
    limits,
    passwords,
    paymentContext,
    app,
    fetch: (request, connection) => app.fetch(request, connection),
    fetchInProcess: inProcessFetch(app),
    async start() {
      const work = () => runAll([() => sweepFolder(database, uploads, dataDir), () => thumbnails.clear()])
      sweeping = repeat({ everyMs: DAY_MS, firstMs: FIRST_MS, work, onError })
      await jobs.start()
    },
    async close() {
      await realtime.close()
      await alerts.close()
      await sweeping?.close()
      await thumbnails.close()
      await jobs.close()
    },
  }
}

interface OpenOptions {
  isCommand?: boolean
  onQuery?: Instruments['query'] | undefined
}

/**
 * Opens the data folder and the database, and builds the provider on them. Throws if another process uses the folder.
 * With `isCommand`, for a single command: it shares the data of a running shop on PostgreSQL and listens for no
 * changes.
 */
export async function openProvider(config: Config, log: Logger, options: OpenOptions = {}): Promise<Provider> {
  const { isCommand = false, onQuery } = options
  const { dataDir, databaseUrl } = config
  makeDataFolder(dataDir)
  if (databaseUrl === undefined) refuseRoot(dataDir)
  const isShared = isCommand && databaseUrl !== undefined
  const lock = isShared ? null : await acquireLock(dataDir, isCommand ? 'a market command' : 'the shop')
  let opened: Database | undefined
  try {
    if (isAlmostFull(dataDir)) freeReserve(dataDir)
    if (config.mediaDir) linkSharedMedia(join(dataDir, 'media'), config.mediaDir)
    opened = await openDatabase({
      url: databaseUrl,
      listenUrl: config.listenUrl,
      poolSize: config.poolSize,
      folder: join(dataDir, 'db'),
      onError: error => log.warn({ err: error }, 'the database connection failed'),
      onQuery,
    })
    fillReserve(dataDir)
    const database = isCommand ? { ...opened, listenUrl: null, onChange: () => Promise.resolve() } : opened
    const media = openMedia({
      folder: join(dataDir, 'media'),
      bucket: config.s3 && { s3: config.s3, cacheFolder: join(dataDir, 'media-cache') },
      // On the embedded database there is no other process, and a transaction would make all requests wait.
      ...(database.kind === 'postgresql' && {
        exclusively: (key, work) => exclusivelyByKey(database.db, `picture ${key}`, work),
      }),
      log,
      background: !isCommand,
    })
    const secrets = await openSigningKeys({ database, folder: join(dataDir, 'secrets'), log })
    const mail = openMailer({
      smtpUrl: config.smtpUrl,
      folder: join(dataDir, 'mail'),
      from: config.supportEmail,
      printsLinks: config.printsMailLinks,
      log,
    })
    // On PostgreSQL the jobs of a command wait for the shop, whose settings for mail a shell may lack. On the embedded
    // database, where no shop runs, a command sends the mails about orders and returns.
    const jobOptions: JobOptions = isCommand ? { kinds: isShared ? [] : ['orderMail', 'returnMail'] } : {}
    const provider = await createProvider(config, { database, secrets, media, mail, log, jobOptions })
    return {
      ...provider,
      async close() {
        await provider.close()
        await mail.close()
        await media.close()
        await database.close()
        lock?.release()
      },
    }
  } catch (error) {
    // An open database would keep the process from ending.
    await opened?.close()
    lock?.release()
    throw error
  }
}
