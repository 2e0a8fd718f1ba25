import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { login, forgotPassword } from '#contract/auth.ts'
import { addTime, printFigure } from '#tests/support/faults/figures.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const GUESSES = 10_000
const AT_ONCE = 50
const ROUNDS = 500
const MAX_EVALUATED = 30
/** As a share of the response time. A response that skipped hashing or mailing would differ by more. */
const LARGEST_GAP = 0.5

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

describe('a guesser', () => {
  test(`has only ${MAX_EVALUATED} of ${GUESSES} passwords from one address checked in 15 minutes`, async () => {
    const { requestFrom, customer, close } = await startProvider()
    afterAll(close)
    const victims = await Promise.all(Array.from({ length: 20 }, () => customer()))
    const counts = new Map<number, number>()

    for (let at = 0; at < GUESSES; at += AT_ONCE) {
      const guesses = Array.from({ length: AT_ONCE }, async (_, of) => {
        const { email } = victims[(at + of) % victims.length]!
        // A different X-Forwarded-For each time changes nothing.
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': `9.9.${of}.${at % 250}` }
        const body = JSON.stringify({ email, password: `Guess-${at + of}!` })
        const { status } = await requestFrom('6.6.6.6', `/api${login.path}`, {
          method: 'POST',
          headers,
          body,
        })
        counts.set(status, (counts.get(status) ?? 0) + 1)
      })
      await Promise.all(guesses)
    }

    const refused = counts.get(429) ?? 0
    expect(GUESSES - refused).toBeLessThanOrEqual(MAX_EVALUATED)
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(GUESSES)
  })
})

describe('the response', () => {
  let url = ''
  let known = ''

  beforeAll(async () => {
    const limits = ['login', 'loginPerIp', 'logins', 'forgot', 'forgotPerIp', 'api']
      .map(name => `${name}=1000000/1h`)
      .join(',')
    const provider = await startProvider({ limits, isCheap: false })
    known = (await provider.customer()).email
    const server = createServer(getRequestListener(provider.fetch))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    afterAll(async () => {
      server.close()
      await provider.close()
    })
  })

  test.each([
    ['login', `/api${login.path}`, { password: 'Wrong-Horse-9' }],
    ['a forgotten password', `/api${forgotPassword.path}`, {}],
  ])('of %s does not show whether an email has an account', async (what, path, rest) => {
    const took = { known: [] as number[], unknown: [] as number[] }
    const answers = { known: new Set<string>(), unknown: new Set<string>() }
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = { known, unknown: `nobody-${round}@piazza.example` }
      for (const kind of ['known', 'unknown'] as const) {
        const answer = await addTime(took[kind], async () => {
          const response = await fetch(url + path, post({ email: asked[kind], ...rest }))
          return `${response.status} ${await response.text()}`
        })
        answers[kind].add(answer)
      }
    }

    const gap = Math.abs(median(took.known) - median(took.unknown))
    printFigure(`difference between known and unknown addresses in ${what}`, `${gap.toFixed(1)} ms`, '5 ms')
    expect(gap / median(took.known)).toBeLessThan(LARGEST_GAP)
    expect(answers.known.size).toBe(1)
    expect(answers.unknown).toEqual(answers.known)
  })
})
