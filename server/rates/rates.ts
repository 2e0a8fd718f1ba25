import { eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { CURRENCIES } from '#contract/currencies.ts'
import type { Db } from '../db/types.ts'
import { facts } from '../db/schema.ts'
import { openLease } from '../platform/leases.ts'

type RateByCurrency = Record<string, number>

export interface Rates {
  /** Units of each currency per US dollar. Never rejects: without any known rates it returns the dollar alone. */
  read(): Promise<{ base: 'USD'; rates: RateByCurrency }>
}

interface Options {
  db: Db
  url: string
  log: Logger
  fetch?: typeof globalThis.fetch
  now?: () => number
}

interface Known {
  rates: RateByCurrency
  fetchedAt: number
}

const FACT = 'rates'
const FRESH_MS = 12 * 3600_000
const RETRY_MS = 60_000
const TIMEOUT_MS = 5000
/** Largest change of a rate per renewal, as a share of the last one; larger changes, probably errors, are cut to it. */
const LARGEST_STEP = 0.5

const Stored = z.object({ rates: z.record(z.string(), z.number()), fetchedAt: z.number() })
const Fetched = z.union([
  z.object({ rates: z.record(z.string(), z.unknown()) }),
  z.object({ conversion_rates: z.record(z.string(), z.unknown()) }),
])

/**
 * Exchange rates from a public service, fetched by one process at most every 12 hours if it responds, and stored in the
 * database for all.
 */
export function openRates({ db, url, log, fetch = globalThis.fetch, now = Date.now }: Options): Rates {
  let known: Known | null = null
  let retryAt = -Infinity
  let renewing: Promise<void> | null = null
  // Not released if the service fails, so that no other process requests it within the minute.
  const lease = openLease(db, { name: FACT, seconds: RETRY_MS / 1000 })

  async function renew(): Promise<void> {
    try {
      const isOurs = (await lease.hold(false)) !== false
      retryAt = now() + (isOurs ? RETRY_MS : TIMEOUT_MS)
      known = (await readStored(db)) ?? known
      if (isOurs && !isFresh()) {
        const rates = limitChange(await fetchRates(fetch, url), known?.rates)
        known = { rates, fetchedAt: now() }
        await store(db, known)
      }
      if (isOurs) await lease.release(false)
    } catch (error) {
      retryAt = now() + RETRY_MS
      log.warn({ err: error }, 'exchange rates could not be renewed')
    } finally {
      renewing = null
    }
  }

  // `fetchedAt` may be in the future if the clock was set back.
  const isFresh = () => known !== null && Math.abs(now() - known.fetchedAt) < FRESH_MS

  return {
    async read() {
      if (!isFresh() && now() >= retryAt) renewing ??= renew()
      // Wait only if there are no old rates to return.
      if (!known && renewing) await renewing
      return { base: 'USD', rates: { ...known?.rates, USD: 1 } }
    },
  }
}

async function fetchRates(fetch: typeof globalThis.fetch, url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`the exchange-rate service responded with ${response.status}`)
  const body = Fetched.parse(await response.json())
  return 'rates' in body ? body.rates : body.conversion_rates
}

function limitChange(fetched: Record<string, unknown>, last: RateByCurrency = {}): RateByCurrency {
  const rates = CURRENCIES.flatMap(({ code }): [string, number][] => {
    const rate = fetched[code]
    const before = last[code]
    if (typeof rate !== 'number' || !Number.isFinite(rate) || rate <= 0) return before ? [[code, before]] : []
    if (!before) return [[code, rate]]
    return [[code, Math.min(Math.max(rate, before * (1 - LARGEST_STEP)), before * (1 + LARGEST_STEP))]]
  })
  return { ...Object.fromEntries(rates), USD: 1 }
}

async function readStored(db: Db): Promise<Known | null> {
  const [row] = await db.select({ value: facts.value }).from(facts).where(eq(facts.name, FACT))
  const stored = Stored.safeParse(row?.value)
  return stored.success ? stored.data : null
}

async function store(db: Db, value: Known): Promise<void> {
  await db
    .insert(facts)
    .values({ name: FACT, value })
    .onConflictDoUpdate({ target: facts.name, set: { value, updatedAt: sql`now()` } })
}
