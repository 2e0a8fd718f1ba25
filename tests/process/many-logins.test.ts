import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as contract from '#contract/auth.ts'
import { getHealth } from '#contract/health.ts'
import { createApi } from '#lib/create-api.ts'
import { freePort } from '#tests/support/ports.ts'
import { FAILED_MS, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { rounds } from '#tests/support/rounds.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { startShopProcess } from '#tests/support/processes/shop-process.ts'

const ASKING = join(import.meta.dirname, '../support/faults/time-answers.ts')
const LOGINS = rounds(80, 200)
const ADA = { email: 'ada@customers.test', password: 'Correct-Horse-9' }
/** The load balancers’ health check and a cached page. */
const BESIDE = [`/api${getHealth.path}`, '/']

// All sign-ins come from one address, so the limits are raised.
const limits = ['login', 'loginPerIp', 'logins', 'api'].map(name => `${name}=1000000/1m`).join(',')
const data = await makeShopData(undefined, { LIMITS: limits })
const shop = await startShopProcess(data.environment, await freePort())
afterAll(async () => {
  await shop.kill()
  await data.remove()
})
await createApi({ origin: shop.url, fetch }).register({ name: 'Ada', ...ADA })

async function login(at: number) {
  // Every second password is wrong, and every fourth email has no account.
  const body = { email: at % 4 === 3 ? `nobody-${at}@customers.test` : ADA.email, password: ADA.password }
  const answer = await fetch(`${shop.url}/api${contract.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(at % 2 ? { ...body, password: 'Wrong-Horse-9' } : body),
  })
  await answer.arrayBuffer()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

/**
 * Measures response times at `path` from a separate process. Resolves with a stop function after
 * the first response.
 */
async function watch(path: string): Promise<() => number[]> {
  const took: number[] = []
  const asking = fork(ASKING, [shop.url + path])
  await once(asking, 'message')
  asking.on('message', ms => took.push(ms as number))
  return () => {
    asking.kill()
    return took
  }
}

describe(`${LOGINS} logins at once`, () => {
  test('do not block the health check or a cached page, and each is handled or gets a Retry-After', async () => {
    const watching = await Promise.all(BESIDE.map(watch))

    const logins = await Promise.all(Array.from({ length: LOGINS }, (_, at) => login(at)))

    const [health = [], page = []] = watching.map(stop => stop())
    for (const took of [health, page]) {
      expect(took.length).toBeGreaterThan(0)
      expect(took).not.toContain(FAILED_MS)
    }
    printFigure(`health beside ${LOGINS} logins at once`, spreadOf(health, 100), '1000 ms')
    printFigure(`a stored page beside ${LOGINS} logins at once`, spreadOf(page, 100), '1000 ms')
    for (const { status } of logins) expect([201, 422, 503]).toContain(status)
    const isUnsure = ({ status, retryAfter }: (typeof logins)[number]) =>
      status === 503 && !/^[1-9]\d*$/.test(retryAfter ?? '')
    expect(logins.filter(isUnsure)).toEqual([])
    const countOf = (status: number) => logins.filter(each => each.status === status).length
    expect(countOf(201)).toBeGreaterThan(0)
    console.log(`${countOf(201)} let in, ${countOf(422)} refused, ${countOf(503)} told to come back`)
  })
})
