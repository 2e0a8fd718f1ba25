import { createHmac, randomBytes } from 'node:crypto'
import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/types.ts'
import { TooManyRequestsError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { type ClientAddress, networkOf, OWN_REQUEST } from './client-address.ts'
import { GIVEN_BACK, type GivenBack, type LimitName, type Rules } from './limit-rules.ts'

export interface Limits {
  /**
   * Counts `count` uses (default 1) by `key`, an account or an address. Throws `TooManyRequestsError` (429) when the
   * limit is exceeded. If several uses at once exceed one of `GIVEN_BACK`, none of them counts, so that a smaller
   * number may still succeed. Ignores `OWN_REQUEST`.
   */
  take(name: LimitName, key: ClientAddress, count?: number): Promise<void>
  /** Like `take`, but returns false instead of throwing. */
  allows(name: LimitName, key: ClientAddress): Promise<boolean>
  /** Gives back `count` uses (default 1), such as those of attempts that succeeded or had no effect. */
  giveBack(name: GivenBack, key: ClientAddress, count?: number): Promise<void>
}

interface Options {
  /** Missing in a storefront with a remote provider. */
  database?: Pick<Database, 'db' | 'kind'>
  rules: Rules
}

type Limiter = RateLimiterMemory | RateLimiterPostgres

const MAX_KEY_LENGTH = 200
const TABLE = 'rate_limits'
const PSEUDONYM_LENGTH = 16
/** Forgotten when the process ends: an address has the same pseudonym only within one process. */
const auditKey = randomBytes(32)
/**
 * Always counted in memory: each use would cost a write to the database. These limits protect this process, or need not
 * be exact.
 */
const OWN: LimitName[] = [
  'api',
  'apiPerIp',
  'render',
  'missingPictures',
  'socketEvents',
  'notYours',
  'ordersPerDay',
  'ordersPerDayPerIp',
  'chatBytes',
  'chatBytesPerIp',
]

/** Counts in PostgreSQL; in memory when there is none or while it is unreachable. */
export function openLimits({ database, rules }: Options): Limits {
  const limiters = {} as Record<LimitName, Limiter>
  /** One audit entry per limit, key and window: more would only fill the audit. */
  const audited = {} as Record<LimitName, RateLimiterMemory>
  for (const name of Object.keys(rules) as LimitName[]) {
    const { points, seconds: duration } = rules[name]
    const options = { keyPrefix: name, points, duration }
    const isShared = database?.kind === 'postgresql' && !OWN.includes(name)
    limiters[name] = isShared ? sharedLimiter(database, name, options) : new RateLimiterMemory(options)
    audited[name] = new RateLimiterMemory({ points: 1, duration })
  }

  async function auditFirst(name: LimitName, key: string): Promise<void> {
    if (!database) return
    const isFirst = await audited[name].consume(counted(key)).then(
      () => true,
      () => false,
    )
    if (isFirst)
      await recordAudit(database.db, {
        event: 'limit',
        outcome: 'refused',
        details: { limit: name, key: pseudonymOf(key) },
      })
  }

  /** Counts uses. Returns 0, or the seconds to wait if the limit is exceeded. */
  async function countUses(name: LimitName, key: ClientAddress, count = 1): Promise<number> {
    if (key === OWN_REQUEST) return 0
    const limiter = limiters[name]
    try {
      await limiter.consume(counted(key), count)
      return 0
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      if (isGivenBack(name)) await reward(limiter, counted(key), count)
      await auditFirst(name, key)
      return Math.max(Math.ceil(error.msBeforeNext / 1000), 1)
    }
  }

  return {
    async take(name, key, count) {
      const seconds = await countUses(name, key, count)
      if (seconds > 0)
        throw new TooManyRequestsError(`Too many attempts, please try again in ${inWords(seconds)}`, seconds)
    },
    allows: async (name, key) => (await countUses(name, key)) === 0,
    async giveBack(name, key, count = 1) {
      if (key !== OWN_REQUEST) await reward(limiters[name], counted(key), count)
    },
  }
}

/** Gives back uses. Those of a window that has ended do not count in the next one, which would allow more for them. */
async function reward(limiter: Limiter, key: string, count: number): Promise<void> {
  const { consumedPoints } = await limiter.reward(key, count)
  if (consumedPoints < 0) await limiter.delete(key)
}

/**
 * The key as the audit shows it, which outlives the account: email addresses are replaced by their HMAC, ids and
 * networks stay. A key with a space consists of an email address and a network (see `keyFrom`).
 */
function pseudonymOf(key: string): string {
  return key.replace(/^.*(?= )|^.*@.*$/s, address =>
    createHmac('sha256', auditKey).update(address).digest('base64url').slice(0, PSEUDONYM_LENGTH),
  )
}

function isGivenBack(name: LimitName): boolean {
  return (GIVEN_BACK as readonly LimitName[]).includes(name)
}

function sharedLimiter(
  { db }: Pick<Database, 'db'>,
  name: LimitName,
  options: IRateLimiterOptions & { points: number },
): Limiter {
  return new RateLimiterPostgres({
    ...options,
    storeClient: db.$client,
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    // A key that is blocked in memory stays blocked when its uses are given back.
    ...(!isGivenBack(name) && { inMemoryBlockOnConsumed: options.points + 1 }),
    insuranceLimiter: new RateLimiterMemory(options),
  })
}

/** Cuts long keys, because clients can send any text as an email address. Keys with the same start share a count. */
function counted(key: string): string {
  return networkOf(key).slice(0, MAX_KEY_LENGTH)
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const [count, unit] =
    seconds < 60 ? [seconds, 'second'] : minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
