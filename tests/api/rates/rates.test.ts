import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CURRENCIES } from '#contract/currencies.ts'
import { facts, leases } from '#server/db/schema.ts'
import { openRates } from '#server/rates/rates.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, close } = await startProvider()
afterAll(close)

const HOUR = 3600_000
const log = pino({ level: 'silent' })
const service = vi.fn<typeof fetch>()
let now = 0
const open = () => openRates({ db, url: 'https://rates.example', log, fetch: service, now: () => now })

function answer(rates: Record<string, unknown>, name = 'rates'): void {
  service.mockImplementation(() => Promise.resolve(Response.json({ [name]: rates })))
}

async function ratesOf(rates: ReturnType<typeof open>) {
  return (await rates.read()).rates
}

/**
 * Waits like the next shopper: while old rates are renewed, callers get the old ones. Then waits until the new ones are
 * stored, or the next test could find them.
 */
async function renewedRates(rates: ReturnType<typeof open>) {
  const old = JSON.stringify(await ratesOf(rates))
  return vi.waitFor(async () => {
    const found = await ratesOf(rates)
    if (JSON.stringify(found) === old) throw new Error('still the old rates')
    const [stored] = await db.select().from(facts)
    expect(stored?.value).toMatchObject({ rates: found })
    return found
  }, PATIENCE)
}

beforeEach(async () => {
  await db.delete(facts)
  await db.delete(leases)
  service.mockReset()
  now = Date.UTC(2025, 0, 1)
})

describe('exchange rates', () => {
  test.each(['rates', 'conversion_rates'])('are read from a response with %s', async name => {
    answer({ USD: 1, EUR: 0.9 }, name)

    expect(await open().read()).toEqual({ base: 'USD', rates: { USD: 1, EUR: 0.9 } })
  })

  test('include only supported currencies with valid numbers', async () => {
    answer({ EUR: 0.9, XXX: 3, GBP: '0.8', JPY: null, NGN: -5, KES: 0, ZAR: 'Infinity', USD: 7 })

    expect(await ratesOf(open())).toEqual({ USD: 1, EUR: 0.9 })
    expect(CURRENCIES).toHaveLength(15)
  })

  test('are fetched twice a day, even after a restart', async () => {
    answer({ EUR: 0.9 })
    const rates = open()
    await rates.read()
    now += 11 * HOUR
    await rates.read()
    expect(await ratesOf(open())).toEqual({ USD: 1, EUR: 0.9 })
    expect(service).toHaveBeenCalledTimes(1)

    now += 2 * HOUR
    answer({ EUR: 0.8 })
    expect(await renewedRates(rates)).toEqual({ USD: 1, EUR: 0.8 })
    expect(service).toHaveBeenCalledTimes(2)
  })

  test('with a date in the future, from a clock that ran fast, are fetched again', async () => {
    answer({ EUR: 0.9 })
    await open().read()
    now -= 400 * 24 * HOUR
    answer({ EUR: 0.8 })

    expect(await ratesOf(open())).toEqual({ USD: 1, EUR: 0.8 })
  })

  test('change by at most half of their old value', async () => {
    answer({ EUR: 1, GBP: 1, JPY: 100 })
    const rates = open()
    await rates.read()

    now += 13 * HOUR
    answer({ EUR: 40, GBP: 0.001, JPY: 149 })

    expect(await renewedRates(rates)).toEqual({ USD: 1, EUR: 1.5, GBP: 0.5, JPY: 149 })
  })

  test('keep the old value of a currency that is missing once', async () => {
    answer({ EUR: 0.9, GBP: 0.8 })
    const rates = open()
    await rates.read()

    now += 13 * HOUR
    answer({ EUR: 0.91 })

    expect(await renewedRates(rates)).toEqual({ USD: 1, EUR: 0.91, GBP: 0.8 })
  })

  test.each([
    ['is away', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers 500', () => Promise.resolve(new Response('no', { status: 500 }))],
    ['answers nonsense', () => Promise.resolve(new Response('<html>'))],
    ['answers something else', () => Promise.resolve(Response.json([1, 2]))],
  ])('are only the dollar when the service %s', async (_, behave) => {
    service.mockImplementation(behave)

    expect(await open().read()).toEqual({ base: 'USD', rates: { USD: 1 } })
  })

  test('keep their last values while the service is unreachable, and are fetched once a minute', async () => {
    answer({ EUR: 0.9 })
    const rates = open()
    await rates.read()
    service.mockClear()
    service.mockRejectedValue(new TypeError('fetch failed'))
    now += 13 * HOUR

    for (let at = 0; at < 5; at += 1) expect(await ratesOf(rates)).toEqual({ USD: 1, EUR: 0.9 })
    await vi.waitFor(() => expect(service).toHaveBeenCalledTimes(1), PATIENCE)
    expect(await ratesOf(rates)).toEqual({ USD: 1, EUR: 0.9 })
    expect(service).toHaveBeenCalledTimes(1)

    now += 61_000
    await rates.read()
    await vi.waitFor(() => expect(service).toHaveBeenCalledTimes(2), PATIENCE)
  })

  test('are fetched once for many shoppers at the same time', async () => {
    answer({ EUR: 0.9 })
    const rates = open()

    await Promise.all(Array.from({ length: 20 }, () => rates.read()))

    expect(service).toHaveBeenCalledTimes(1)
  })

  test('are fetched by one process, whose rates the others return soon', async () => {
    const response = Promise.withResolvers<Response>()
    service.mockReturnValue(response.promise)
    const [one, other] = [open(), open()]
    const first = ratesOf(one)
    await vi.waitFor(() => expect(service).toHaveBeenCalledTimes(1), PATIENCE)
    expect(await ratesOf(other)).toEqual({ USD: 1 })

    response.resolve(Response.json({ rates: { EUR: 0.9 } }))
    expect(await first).toEqual({ USD: 1, EUR: 0.9 })
    now += 5000
    expect(await ratesOf(other)).toEqual({ USD: 1, EUR: 0.9 })
    expect(service).toHaveBeenCalledTimes(1)
  })

  test('are requested by one process a minute while the service is unreachable', async () => {
    service.mockRejectedValue(new TypeError('fetch failed'))
    await open().read()

    expect(await ratesOf(open())).toEqual({ USD: 1 })
    expect(service).toHaveBeenCalledTimes(1)
  })

  test('contain only the dollar when the service does not respond within five seconds', async () => {
    const patience = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    service.mockImplementation(() => {
      setTimeout(() => patience.abort(), 10)
      return new Promise((_, reject) => patience.signal.addEventListener('abort', reject))
    })

    expect(await ratesOf(open())).toEqual({ USD: 1 })

    expect(timeout).toHaveBeenCalledWith(5000)
    expect(service).toHaveBeenCalledWith('https://rates.example', { signal: patience.signal })
    timeout.mockRestore()
  })

  test('contain only the dollar when no service is configured', async () => {
    expect(await api.getRates({})).toEqual({ base: 'USD', rates: { USD: 1 } })
  })
})

describe('the health check', () => {
  test('returns the kind of database and its durability', async () => {
    const health = await api.getHealth({})

    expect(health).toMatchObject({ status: 'ok', database: database.kind })
    const promise = database.kind === 'embedded' ? 'survives a process crash, not a power loss' : 'and a power loss'
    expect(health.durability).toContain(promise)
  })
})
