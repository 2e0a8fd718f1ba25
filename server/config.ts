import { accessSync, constants, existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import * as z from 'zod'
import { AI_SECRETS, AiEnvironment, readGemini } from './chat/ai/config.ts'
import { POOL_SIZE } from './db/pool-size.ts'
import { entriesOf } from './platform/entries.ts'
import { FAILPOINTS } from './platform/failpoints.ts'
import { readRules } from './http/limit-rules.ts'
import { readHoldLimits } from './orders/hold-limits.ts'
import { PAYMENT_SECRETS, PaymentEnvironment, paymentSources, readPaymentConfig } from './payments/providers/config.ts'
import { CDN_SECRETS, CdnEnvironment, readCdn } from './page-cache/cdn/config.ts'
import { FILE_SECRETS, FileEnvironment, readS3 } from './platform/s3-config.ts'

/** Enough for a load balancer that looks every second or two. */
const DRAIN_SECONDS = 5
/** Only for trials: mail servers reject a sender whose domain does not exist. */
const SUPPORT_EMAIL = 'support@piazza.example'
const onOff = z.enum(['on', 'off'], 'must be on or off')
const address = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` })
const web = (example: string) => address(/^https?$/, example)
const origin = web('https://app.example').refine(
  url => URL.canParse(url) && new URL(url).origin === url,
  'must be a scheme and a host without a path, such as https://app.example',
)
const hasNoPath = (url: string) => URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`
const list = (entry: z.ZodType<string, string>) => z.string().transform(entriesOf).pipe(z.array(entry))

/** A text that `read` parses; the message of the error it throws becomes the issue's message. */
const readBy = <Value>(read: (text: string) => Value) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return read(text)
      } catch (error) {
        context.addIssue((error as Error).message)
        return z.NEVER
      }
    })

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number such as 4321')
  .transform(Number)
  .refine(number => number <= 65535, 'must be a port number such as 4321')

const Environment = z.object({
  PORT: port.default(4321),
  HOST: z.string().default('127.0.0.1'),
  MAX_CONNECTIONS: z
    .string()
    .regex(/^[1-9]\d{1,5}$/, 'must be a number from 10 to 999999')
    .transform(Number)
    .default(4000),
  PUBLIC_URL: web('https://shop.example')
    .refine(hasNoPath, 'must be a scheme and a host without a path, such as https://shop.example')
    .optional(),
  DATA_DIR: z.string().default('data'),
  /** Folder for pictures that several processes share; by default, one in DATA_DIR. */
  MEDIA_DIR: z.string().optional(),
  /** Folder of the built storefront. */
  DIST_DIR: z.string().default('dist'),
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@localhost:5432/piazza').optional(),
  /** The same database without a connection pooler: for LISTEN, migrations and session locks. */
  DATABASE_LISTEN_URL: address(/^postgres(ql)?$/, 'postgres://user:password@localhost:5432/piazza').optional(),
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^([2-9]|[1-9]\d{1,2})$/, 'must be a number from 2 to 999')
    .transform(Number)
    .default(POOL_SIZE),
  /** How long a process goes on listening after SIGTERM; it ends within 29 seconds. */
  DRAIN_SECONDS: z
    .string()
    .regex(/^(\d|1\d)$/, 'must be a number of seconds from 0 to 19')
    .transform(Number)
    .optional(),
  /** Serves metrics for Prometheus. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** How many processes serve the shop on this machine, behind one port. */
  PROCESSES: z
    .string()
    .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be a number from 1 to 64, or auto')
    .transform(text => (text === 'auto' ? availableParallelism() : Number(text)))
    .default(1),
  PROVIDER_URL: web('https://api.shop.example').optional(),
  /** Storefronts in other processes, whose stored pages must be purged after changes; comma-separated. */
  PURGE_URLS: list(web('https://shop.example')).optional(),
  PURGE_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters, such as the output of: openssl rand -hex 32')
    .optional(),
  DEMO: onOff.optional(),
  MERCHANT_URL: web('https://sellers.shop.example').default('https://merchant.piazza.example'),
  SUPPORT_EMAIL: z.email('must be an email address such as help@shop.example').default(SUPPORT_EMAIL),
  SMTP_URL: address(/^smtps?$/, 'smtps://user:password@mail.example:465').optional(),
  /** How many proxies in front of the shop add to X-Forwarded-For. */
  TRUSTED_PROXIES: z.string().regex(/^\d$/, 'must be a number from 0 to 9').transform(Number).default(0),
  /** Other sites whose pages may call the API with a customer's token; comma-separated. */
  CORS_ORIGINS: list(origin).optional(),
  /** Lifetime of a customer's bearer token. */
  BEARER_MINUTES: z
    .string()
    .regex(/^([5-9]|[1-5]\d|60)$/, 'must be a number of minutes from 5 to 60')
    .transform(Number)
    .default(10),
  /** For an API on another site than its pages: browsers do not store its cookies there. */
  AUTH_COOKIE_FALLBACK: onOff.default('off'),
  LIMITS: readBy(readRules),
  /** How much stock one customer's unpaid orders may hold. */
  HOLD_LIMITS: readBy(readHoldLimits),
  RATES_URL: web('https://open.er-api.com/v6/latest/USD').default('https://open.er-api.com/v6/latest/USD'),
  ...PaymentEnvironment,
  ...FileEnvironment,
  ...CdnEnvironment,
  ...AiEnvironment,
  NODE_ENV: z.string().optional(),
  /** Only in tests (NODE_ENV=test): the failpoint at which the process is killed. */
  FAIL_AT: z.enum(FAILPOINTS, `must be one of ${FAILPOINTS.join(', ')}`).optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('warn'),
})

/** Variables whose values are never printed. */
const SECRET = new Set([
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'PURGE_SECRET',
  'SMTP_URL',
  ...PAYMENT_SECRETS,
  ...FILE_SECRETS,
  ...CDN_SECRETS,
  ...AI_SECRETS,
])

export type Config = ReturnType<typeof readConfig>

/** An invalid environment. The message has one line per variable: its value and what would be valid. */
export class ConfigError extends Error {}

/** Parses the environment; empty variables count as unset. Throws `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const read = Environment.safeParse(given)
  if (!read.success) {
    const lines = read.error.issues.map(({ path: [name = ''], message }) => {
      const value = SECRET.has(String(name)) ? '…' : given[String(name)]
      return `${String(name)}=${value}: ${message}`
    })
    throw new ConfigError(lines.join('\n'))
  }
  const { data } = read
  if (data.PURGE_URLS && !data.PURGE_SECRET)
    throw new ConfigError('PURGE_URLS needs PURGE_SECRET, such as the output of: openssl rand -hex 32')
  if (data.DATABASE_LISTEN_URL && !data.DATABASE_URL)
    throw new ConfigError('DATABASE_LISTEN_URL needs DATABASE_URL, the address of the pooler')
  if (data.PROCESSES > 1 && (!data.DATABASE_URL || data.PROVIDER_URL))
    throw new ConfigError('PROCESSES needs DATABASE_URL: the embedded database belongs to one process')
  if (data.CDN_PURGE && data.PROVIDER_URL)
    throw new ConfigError('CDN_PURGE needs a provider in the same process: leave out PROVIDER_URL')
  const publicUrl = new URL(data.PUBLIC_URL ?? `http://localhost:${data.PORT}`).origin
  // Demo data and other trial settings are on by default only on a laptop; elsewhere they must be configured.
  const isLaptop = !data.DATABASE_URL && !publicUrl.startsWith('https:')
  return {
    port: data.PORT,
    host: data.HOST,
    maxConnections: data.MAX_CONNECTIONS,
    publicUrl,
    dataDir: resolve(data.DATA_DIR),
    mediaDir: data.MEDIA_DIR === undefined ? null : resolve(data.MEDIA_DIR),
    distDir: resolve(data.DIST_DIR),
    databaseUrl: data.DATABASE_URL,
    listenUrl: data.DATABASE_LISTEN_URL ?? data.DATABASE_URL,
    poolSize: data.DATABASE_POOL_SIZE,
    providerUrl: data.PROVIDER_URL,
    processes: data.PROCESSES,
    metrics: data.METRICS_PORT === undefined ? null : { host: data.METRICS_HOST, port: data.METRICS_PORT },
    purgeUrls: data.PURGE_URLS ?? [],
    purgeSecret: data.PURGE_SECRET,
    drainSeconds: data.DRAIN_SECONDS ?? (data.DATABASE_URL ? DRAIN_SECONDS : 0),
    isDemo: data.DEMO ? data.DEMO === 'on' : isLaptop,
    merchantUrl: data.MERCHANT_URL,
    supportEmail: data.SUPPORT_EMAIL,
    smtpUrl: data.SMTP_URL,
    /** Not for a real shop: anyone who reads such a link in the console can enter the customer's account. */
    printsMailLinks: !publicUrl.startsWith('https:'),
    trustedProxies: data.TRUSTED_PROXIES,
    corsOrigins: data.CORS_ORIGINS ?? [],
    bearerMinutes: data.BEARER_MINUTES,
    hasCookieFallback: data.AUTH_COOKIE_FALLBACK === 'on',
    limits: data.LIMITS,
    holdLimits: data.HOLD_LIMITS,
    ratesUrl: data.RATES_URL,
    // A remote provider holds the keys; here PAYMENT_PROVIDER only says whose scripts the pages may load.
    payment: data.PROVIDER_URL ? null : orConfigError(() => readPaymentConfig(data, { isLaptop })),
    paymentSources: paymentSources(data),
    diskReserve: data.DISK_RESERVE_MB * 1024 * 1024,
    s3: orConfigError(() => readS3(data)),
    cdn: orConfigError(() => readCdn(data)),
    gemini: readGemini(data),
    failAt: data.NODE_ENV === 'test' ? data.FAIL_AT : undefined,
    logLevel: data.LOG_LEVEL,
  }
}

/** Warnings for operators of a shop with real customers whose mails do not arrive, or lead nowhere. */
export function mailProblems({ smtpUrl, publicUrl, databaseUrl, dataDir, supportEmail }: Config): string[] {
  if (!(databaseUrl || publicUrl.startsWith('https:'))) return []
  if (!smtpUrl) return [`Customers get no mail: set SMTP_URL. Until then, mails are files in ${join(dataDir, 'mail')}.`]
  const isOwnSender = supportEmail !== SUPPORT_EMAIL
  const isReachable = new URL(publicUrl).hostname !== 'localhost'
  return [
    ...(isOwnSender ? [] : [`Mails come from ${supportEmail}, which many mail servers reject: set SUPPORT_EMAIL.`]),
    ...(isReachable ? [] : [`Links in mails lead to ${publicUrl}, where customers find no shop: set PUBLIC_URL.`]),
  ]
}

function orConfigError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

/**
 * Adds the variables of `.env` to the environment; variables that are already set take precedence. Throws a
 * `ConfigError` if the file exists and cannot be read.
 */
export function readEnvFile(): void {
  if (!existsSync('.env')) return
  try {
    // Node reports a file that this account may not read as missing.
    accessSync('.env', constants.R_OK)
    loadEnvFile('.env')
  } catch (error) {
    throw new ConfigError(`.env cannot be read by this account: ${(error as Error).message}`)
  }
}
