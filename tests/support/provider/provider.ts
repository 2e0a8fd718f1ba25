import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectRoutes } from 'hono/dev'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openAssistants } from '#server/chat/ai/assistants.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { users } from '#server/db/schema.ts'
import type { Media } from '#server/media/store.ts'
import { readRules } from '#server/http/limit-rules.ts'
import { readHoldLimits } from '#server/orders/hold-limits.ts'
import { type Letter, openMailer } from '#server/mail/mailer.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import type { PaymentConfig } from '#server/payments/providers/config.ts'
import { silentAnnouncer } from '#server/chat/announcer.ts'
import { createProvider } from '#server/provider.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import type { S3Config } from '#server/platform/s3-config.ts'
import { createApi } from '#lib/create-api.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { apiAt } from '../processes/api-at.ts'
import { createDatabase } from '../processes/postgres.ts'

const ORIGIN = 'http://provider.test'
/** The API does not use the pictures. */
const NO_MEDIA = {} as Media

const PASSWORD = 'Correct-Horse-9'
/** Cheap password hashes, because tests sign in hundreds of customers. */
const CHEAP = { memoryKib: 64, passes: 1 }

const EMBEDDED_STATEMENT_MS = 60_000

const usualPayment = (): PaymentConfig | null => ({ provider: 'sandbox' })

const noRates: typeof fetch = () => Promise.reject(new Error('tests ask no exchange-rate service'))

/** A provider with its own database (PGlite or PostgreSQL), the storefront's API client and raw requests. */
export async function startProvider({
  limits: limitTexts = '',
  holdLimits = readHoldLimits(),
  publicUrl = ORIGIN,
  hasCookieFallback = false,
  bearerMinutes = 10,
  corsOrigins = [] as string[],
  purgeSecret = undefined as string | undefined,
  now = Date.now,
  isCheap = true,
  payment = usualPayment(),
  cluster = inject('postgresUrl'),
  /** Folder of the embedded database; by default it is in memory. */
  folder = '',
  /**
   * By default a minute for the embedded database: a busy machine must not have it restarted, which loses one in
   * memory.
   */
  maxStatementMs = undefined as number | undefined,
  announcer = silentAnnouncer,
  s3 = null as S3Config | null,
  /** Bytes of disk space that uploads must leave free. */
  diskReserve = 0,
  assistants = openAssistants(null),
  /** URL of the exchange-rate service; by default requests to it fail. */
  ratesUrl = '',
  /** URL of the mail server; by default emails are collected in `letters`. */
  smtpUrl = '',
  log = pino({ level: 'silent' }),
} = {}) {
  const database = await openDatabase({
    ...(cluster ? { url: await createDatabase(cluster) } : { maxStatementMs: EMBEDDED_STATEMENT_MS }),
    ...(!cluster && (folder ? { folder } : { snapshot: inject('snapshot') ?? undefined })),
    ...(maxStatementMs && { maxStatementMs }),
  })
  const secrets = secretsOf(randomBytes(32))
  const dataDir = join(tmpdir(), `piazza-${randomUUID()}`)
  const passwords = openPasswords(isCheap ? CHEAP : {})
  const letters: Letter[] = []
  const mail = smtpUrl
    ? openMailer({ smtpUrl, folder: '/nowhere', from: 'help@shop.example', printsLinks: true, log })
    : { send: async (letter: Letter) => void letters.push(letter) }
  const config: Config = {
    ...readConfig({}),
    dataDir,
    publicUrl,
    corsOrigins,
    hasCookieFallback,
    bearerMinutes,
    purgeSecret,
    limits: readRules(limitTexts),
    holdLimits,
    payment,
    s3,
    diskReserve,
    ...(ratesUrl && { ratesUrl }),
  }
  const provider = await createProvider(config, {
    database,
    secrets,
    media: NO_MEDIA,
    mail,
    log,
    passwords,
    assistants,
    announcer,
    now,
    ...(!ratesUrl && { fetchRates: noRates }),
    // Scheduled jobs start each minute, and would change the data of a running test.
    jobOptions: { retrySeconds: 1, pollSeconds: 0.5, hasSchedules: false },
  })
  const { app, sessions } = provider
  const answer = app.fetch
  // Checked in every test.
  app.fetch = async (...asked) => {
    const response = await answer(...asked)
    if (response.status === 503 && !response.headers.has('retry-after'))
      throw new Error('A 503 must say when to come again (Retry-After)')
    return response
  }
  const apiOf = (token?: string) => apiAt(ORIGIN, token, request => app.fetch(request))
  const api = apiOf()
  const apiFrom = (remoteAddress: string, token?: string) =>
    apiAt(ORIGIN, token, async request => app.fetch(request, { incoming: { socket: { remoteAddress } } }))

  return {
    ...provider,
    db: database.db,
    /** Emails sent so far. Jobs run automatically when one is queued. */
    letters,
    secrets,
    /** Folder of the uploaded files. Created by the first upload. */
    uploadsDir: join(dataDir, 'uploads'),
    api,
    apiOf,
    /** Like `apiOf`, but from an IP address, by which rate limits count. */
    apiFrom,
    /** The API client that pages use in-process. */
    pagesApi: createApi({ origin: ORIGIN, fetch: provider.fetchInProcess }),
    fetch: app.fetch,
    /** Every route, as `GET /api/…`. */
    routes: inspectRoutes(app)
      .filter(({ isMiddleware }) => !isMiddleware)
      .map(({ method, path }) => `${method} ${path}`),
    /** Adds a customer with a confirmed address and a signed-in client. */
    async customer(name = 'Ada Customer') {
      const passwordHash = await passwords.hash(PASSWORD)
      const row = { name, email: newAddress(), passwordHash, emailConfirmedAt: new Date() }
      const [{ id } = { id: '' }] = await database.db.insert(users).values(row).returning({ id: users.id })
      const { token } = await sessions.start({ id, name, email: row.email })
      return { id, name, email: row.email, password: PASSWORD, token, api: apiOf(token) }
    },
    /** Registers a customer, who gets an email to confirm their address. */
    async newcomer(name = 'Ada Newcomer') {
      const email = newAddress()
      const { token } = await api.register({ name, email, password: PASSWORD })
      const id = decodeCustomer(token)?.id ?? ''
      return { id, name, email, password: PASSWORD, token, api: apiOf(token) }
    },
    request: (path: string, init?: RequestInit) => app.request(new URL(path, ORIGIN).href, init),
    /** Like `request`, but from an IP address, by which rate limits count. */
    requestFrom: (remoteAddress: string, path: string, init?: RequestInit) =>
      app.request(new URL(path, ORIGIN).href, init, { incoming: { socket: { remoteAddress } } }),
    async close() {
      await provider.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function newAddress(): string {
  return `${randomBytes(8).toString('hex')}@customers.test`
}

export type Provider = Awaited<ReturnType<typeof startProvider>>
export type Customer = Awaited<ReturnType<Provider['customer']>>
