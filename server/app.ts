import { Hono } from 'hono'
import type { Logger } from 'pino'
import { placeOrder } from '#contract/orders.ts'
import type { Assistants } from './chat/ai/assistants.ts'
import type { Database } from './db/types.ts'
import { bodiesUpTo } from './http/bodies.ts'
import { clientIp } from './http/client-ip.ts'
import type { Config } from './config.ts'
import { respondToErrors } from './http/errors.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Limits } from './http/limits.ts'
import { lingering } from './http/lingering.ts'
import type { UnsubscribeLinks } from './mail/unsubscribe-links.ts'
import type { Media } from './media/store.ts'
import { mediaRoutes } from './media/routes.ts'
import type { Env } from './http/env.ts'
import { identifyRequests } from './http/request-id.ts'
import { confirmationRoutes } from './accounts/confirmation-routes.ts'
import { accountRoutes } from './accounts/account-routes.ts'
import { authRoutes } from './accounts/routes.ts'
import { alertRoutes, unsubscribeRoutes } from './cart/alert-routes.ts'
import { cartRoutes } from './cart/routes.ts'
import { savedLineRoutes } from './cart/saved-line-routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { fileRoutes } from './uploads/file-routes.ts'
import { chatRoutes } from './chat/routes.ts'
import { reviewPictureRoutes } from './catalogue/review-picture-routes.ts'
import { openUploadCalls } from './uploads/routes.ts'
import { deletionRoutes } from './accounts/deletion-routes.ts'
import { healthRoutes } from './http/health.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { cancelUnpaid } from './orders/cancelling.ts'
import type { TrackingLinks } from './orders/tracking.ts'
import { orderRoutes } from './orders/routes.ts'
import { passwordResetRoutes } from './accounts/password-reset-routes.ts'
import { profileRoutes } from './accounts/profile-routes.ts'
import { paymentRoutes, webhookRoutes } from './payments/routes.ts'
import { ratesRoutes } from './rates/routes.ts'
import { returnRoutes } from './returns/routes.ts'
import { reviewRoutes } from './catalogue/review-routes.ts'
import { sessionRoutes } from './accounts/session-routes.ts'
import { wishlistRoutes } from './cart/wishlist-routes.ts'
import { isSandbox } from './payments/providers/sandbox/delivery.ts'
import { sandboxRoutes } from './payments/providers/sandbox/routes.ts'
import type { PaymentContext } from './payments/context.ts'
import { NOTHING_HERE } from './platform/errors.ts'
import type { Announcer } from './chat/announcer.ts'
import type { Passwords } from './accounts/passwords.ts'
import type { Rates } from './rates/rates.ts'
import type { Sessions } from './accounts/sessions.ts'
import type { Uploads } from './uploads/uploads.ts'
import type { Thumbnails } from './uploads/thumbnails.ts'
import type { Downloads } from './personal-data/downloads.ts'
import { personalDataRoutes } from './personal-data/routes.ts'
import { FILE_PATHS, rejectForgery, takesFiles } from './http/csrf.ts'
import { allowOrigins } from './http/cors.ts'

/** What the routes need. */
interface Services {
  database: Database
  media: Media
  uploads: Uploads
  thumbnails: Thumbnails
  downloads: Downloads
  trackingLinks: TrackingLinks
  rates: Rates
  limits: Limits
  jobs: Jobs
  sessions: Sessions
  passwords: Passwords
  paymentContext: PaymentContext
  announcer: Announcer
  assistants: Assistants
  unsubscribeLinks: UnsubscribeLinks
  config: Pick<
    Config,
    'trustedProxies' | 'purgeSecret' | 'publicUrl' | 'corsOrigins' | 'hasCookieFallback' | 'holdLimits'
  >
  log: Logger
}

const BODY_BYTES = 64 * 1024
/** Larger, because clients of this API include whole products in their orders. */
const ORDER_BYTES = 256 * 1024

/** The Hono app that serves `/api` and `/media`. Opens no files and no ports. */
export function createApp(services: Services): Hono<Env> {
  const { database, media, uploads, rates, limits, jobs, sessions, paymentContext, config, log } = services
  const api = new Hono<Env>()
  webhookRoutes(api, paymentContext)
  unsubscribeRoutes(api, { db: database.db, ...services })
  for (const path of FILE_PATHS) api.use(path, lingering)
  api.use(allowOrigins(config), rejectForgery(config))
  const [usual, ofOrders] = [bodiesUpTo(BODY_BYTES), bodiesUpTo(ORDER_BYTES)]
  api.use((c, next) => {
    // The upload's own parser limits its size.
    if (takesFiles(c.req.path)) return next()
    return (c.req.path.endsWith(placeOrder.path) ? ofOrders : usual)(c, next)
  })
  api.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  })
  api.use(async (c, next) => {
    c.set('identify', () => sessions.identify(c.req.header('authorization')))
    await next()
  })
  const mountUpload = openUploadCalls({ db: database.db, uploads })
  catalogueRoutes(api, database)
  reviewRoutes(api, database, { mountUpload, addressOf: uploads.addressOf })
  cartRoutes(api, database.db)
  savedLineRoutes(api, database.db)
  wishlistRoutes(api, database.db)
  alertRoutes(api, { db: database.db, ...services })
  orderRoutes(api, { db: database.db, ...services })
  returnRoutes(api, { db: database.db, jobs, mountUpload, addressOf: uploads.addressOf })
  paymentRoutes(api, paymentContext)
  if (isSandbox(paymentContext.provider)) sandboxRoutes(api, paymentContext.provider)
  ratesRoutes(api, rates)
  healthRoutes(api, database)
  authRoutes(api, { db: database.db, ...services })
  confirmationRoutes(api, { db: database.db, jobs })
  passwordResetRoutes(api, { db: database.db, cancelUnpaid, ...services })
  accountRoutes(api, database.db)
  deletionRoutes(api, { db: database.db, ...services })
  sessionRoutes(api, { db: database.db, sessions })
  profileRoutes(api, { db: database.db, ...services })
  personalDataRoutes(api, { db: database.db, ...services })
  chatRoutes(api, {
    db: database.db,
    mountUpload,
    addressOf: uploads.addressOf,
    publicUrl: config.publicUrl,
    ...services,
  })
  notificationRoutes(api, database.db)

  const app = new Hono<Env>()
  app.use(identifyRequests())
  app.use(clientIp(config))
  app.use(async (c, next) => {
    c.set('limits', limits)
    await next()
  })
  app.route('/api', api)
  fileRoutes(app, { db: database.db, uploads })
  reviewPictureRoutes(app, { db: database.db, uploads, thumbnails: services.thumbnails })
  mediaRoutes(app, media, log)
  app.notFound(c => c.json({ error: NOTHING_HERE }, 404))
  app.onError(respondToErrors({ db: database.db, limits, log }))
  return app
}
