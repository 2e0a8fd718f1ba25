import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { openSender } from '#server/payments/providers/http.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { listen } from '#tests/support/fakes/http.ts'

const COOLDOWN_MS = 10_000

let answer: (res: ServerResponse) => unknown
let askedCount = 0
const { url, close } = await listen((_, res) => {
  askedCount += 1
  answer(res)
})
afterAll(close)
// The test ends the pause, so that a slow machine cannot.
vi.useFakeTimers({ toFake: ['Date', 'performance'] })
afterAll(() => vi.useRealTimers())

const well = (res: ServerResponse) => res.end('{"status":"ok"}')
const ill = (res: ServerResponse) => res.writeHead(500).end()

let ask: () => Promise<unknown>
beforeEach(() => {
  askedCount = 0
  const send = openSender({ cooldownMs: COOLDOWN_MS })
  ask = () => send(url, { headers: {}, schema: z.object({ status: z.string() }) })
})

const times = (count: number) => Promise.allSettled(Array.from({ length: count }, () => ask()))

test('a provider that fails five times in a row is not called until the pause is over', async () => {
  answer = ill
  await times(5)
  const failing = times(20)
  expect((await failing).every(({ status }) => status === 'rejected')).toBe(true)
  expect(askedCount).toBe(5)

  vi.advanceTimersByTime(COOLDOWN_MS)
  await times(20)
  expect(askedCount).toBe(6)
  answer = well
  await times(1)
  expect(askedCount).toBe(6)

  vi.advanceTimersByTime(COOLDOWN_MS)
  expect(await ask()).toEqual({ status: 'ok' })
  expect((await times(20)).every(({ status }) => status === 'fulfilled')).toBe(true)
})

test('the pause ends even if the clock was set back in the meantime', async () => {
  answer = ill
  await times(5)
  answer = well
  vi.setSystemTime(Date.now() - 3_600_000)
  await expect(ask()).rejects.toThrow('circuit breaker is open')

  vi.advanceTimersByTime(COOLDOWN_MS)
  expect(await ask()).toEqual({ status: 'ok' })
})

test('an invalid response or a 404 does not count as a failure', async () => {
  answer = res => res.end('<!doctype html>')
  await times(10)
  answer = res => res.writeHead(404).end('{}')
  await times(10)
  answer = well

  expect(await ask()).toEqual({ status: 'ok' })
})

test.each([
  [404, 'GET /v3/refunds: it responded with 404'],
  [500, 'GET /v3/refunds: it responded with 500'],
])('a response with %i is reported with the call and the status', async (status, message) => {
  answer = res => res.writeHead(status).end('{}')
  const sent = openSender()(`${url}/v3/refunds?id=1`, { headers: {}, schema: z.object({}) })

  await expect(sent).rejects.toThrow(PaymentUnavailableError)
  await expect(sent).rejects.toMatchObject({ message, cause: expect.any(Error) as Error })
})

test('a redirect is not followed', async () => {
  answer = res => res.writeHead(302, { location: '/elsewhere' }).end()

  await expect(ask()).rejects.toThrow(PaymentUnavailableError)
  expect(askedCount).toBe(1)
})

test('occasional failures do not open the circuit breaker', async () => {
  answer = res => (askedCount % 3 === 0 ? well(res) : ill(res))
  for (let turn = 0; turn < 12; turn += 1) await ask().catch(() => null)

  expect(askedCount).toBe(12)
})
