import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type ClientAddress, networkOf, OWN_REQUEST } from './client-address.ts'
import type { Pool } from 'pg'
import type { Database, Db } from '../db/types.ts'
import { TooOftenError } from './errors.ts'
import type { LimitName, Rules } from './limit-rules.ts'
import { recordAudit } from '../platform/audit.ts'

export interface Limits {
  /**
   * Counts one use by `key`, an account or an address; throws `TooOften` (429) when it is too many. Of several uses at
   * once, as `count` says, either all count or, where they are too many, none: fewer may still be taken. Requests of our
   * own are not counted.
   */
  take(name: LimitName, key: ClientAddress, count?: number): Promise<void>
  /** As `take`, but answers whether it may be instead of refusing. */
  allows(name: LimitName, key: ClientAddress): Promise<boolean>
  /** Takes back a use, or several: what turned out well need not count, nor what came to nothing. */
  giveBack(name: LimitName, key: ClientAddress, count?: number): Promise<void>
}

interface Options {
  /** A storefront whose provider is elsewhere has none. */
  database?: Pick<Database, 'db' | 'kind'>
  rules: Rules
}

type Limiter = RateLimiterMemory | RateLimiterPostgres

const LONGEST_KEY = 200
const TABLE = 'rate_limits'
/** Counted in this process even when others share the database: they protect the process, and each use would cost a write. */
const OWN: LimitName[] = ['api', 'apiPerIp', 'render', 'socketEvents', 'notYours']

/** Counts in PostgreSQL, and in memory without it or while it is away. */
export function openLimits({ database, rules }: Options): Limits {
  const limiters = Object.fromEntries(
    Object.entries(rules).map(([name, { points, seconds }]) => {
      const options = { keyPrefix: name, points, duration: seconds }
      const isShared = database?.kind === 'postgresql' && !OWN.includes(name as LimitName)
      return [name, isShared ? sharedLimiter(database, options) : new RateLimiterMemory(options)]
    }),
  ) as Record<LimitName, Limiter>

  async function secondsToWait(name: LimitName, key: ClientAddress, count = 1): Promise<number> {
    if (key === OWN_REQUEST) return 0
    const limiter = limiters[name]
    try {
      const used = count > 1 ? await limiter.get(counted(key)) : null
      if (used && used.consumedPoints + count > limiter.points) throw used
      await limiter.consume(counted(key), count)
      return 0
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      // Once for each window: what follows would only fill the log. A key that is blocked in memory has consumed nothing.
      const isFirst = error.consumedPoints > 0 && error.consumedPoints - count <= limiter.points
      if (database && isFirst)
        await recordAudit(database.db, { event: 'limit', outcome: 'refused', details: { limit: name, key } })
      return Math.max(Math.ceil(error.msBeforeNext / 1000), 1)
    }
  }

  return {
    async take(name, key, count) {
      const seconds = await secondsToWait(name, key, count)
      if (seconds > 0) throw new TooOftenError(`Too many attempts, please try again in ${inWords(seconds)}`, seconds)
    },
    allows: async (name, key) => (await secondsToWait(name, key)) === 0,
    async giveBack(name, key, count) {
      if (key !== OWN_REQUEST) await limiters[name].reward(counted(key), count)
    },
  }
}

function sharedLimiter({ db }: Pick<Database, 'db'>, options: IRateLimiterOptions & { points: number }): Limiter {
  return new RateLimiterPostgres({
    ...options,
    storeClient: (db as Db & { $client: Pool }).$client,
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  })
}

/** Whoever sends pages of text as an address shares a count with those who send the same beginning. */
function counted(key: string): string {
  return networkOf(key).slice(0, LONGEST_KEY)
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const [count, unit] =
    seconds < 60 ? [seconds, 'second'] : minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
