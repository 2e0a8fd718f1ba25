import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { forgotPassword, login, register } from '#contract/auth.ts'
import type { Api } from '#lib/api.ts'
import { createApi } from '#lib/create-api.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { sendAndReset } from '#tests/support/faults/resets.ts'
import { rounds } from '#tests/support/rounds.ts'
import { writtenLetters } from '#tests/support/provider/mail-folder.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { type RunningShop, SHORT_LIVED, startShop } from '#tests/support/provider/shop.ts'

const ACCOUNTS = 10
const MAILS = 3
const FLOOD_MS = rounds(4000, 40_000)
const eightAtOnce = pLimit(8)

const data = await makeShopData(inject('postgresUrl') ?? undefined, {
  SMTP_URL: '',
  // Clients that send X-Forwarded-For have another address than those that reset connections.
  TRUSTED_PROXIES: '1',
  LIMITS: `register=${ACCOUNTS}/1h,forgotPerIp=${MAILS}/1h`,
})
let shop: RunningShop
const customers = Array.from({ length: MAILS * 4 }, () => newcomer())

beforeAll(async () => {
  shop = await startShop(data.environment, { dataDir: data.dataDir, flags: SHORT_LIVED })
  await Promise.all(customers.map(each => clientElsewhere().register(each)))
})
afterAll(async () => {
  await shop.stop()
  await data.remove()
})

let elsewhere = 0
/** A client with its own address. */
function clientElsewhere(): Api {
  elsewhere += 1
  const address = `5.5.${elsewhere >> 8}.${elsewhere & 255}`
  return createApi({
    origin: shop.url,
    fetch(request) {
      request.headers.set('x-forwarded-for', address)
      return fetch(request)
    },
  })
}

const canLogIn = ({ email, password }: ReturnType<typeof newcomer>) =>
  clientElsewhere()
    .login({ email, password })
    .then(
      () => true,
      () => false,
    )

/** The addresses to which the shop has mailed a reset link. */
async function resetLetters(): Promise<string[]> {
  const letters = await writtenLetters(data)
  return letters.filter(text => text.includes('/resetpassword?')).map(text => /^To: (.+)$/m.exec(text)![1]!)
}

describe('a client that resets each connection', () => {
  test('can open only as many accounts as its address may', async () => {
    const strangers = Array.from({ length: ACCOUNTS * 4 }, () => newcomer())
    await Promise.all(strangers.map(each => eightAtOnce(() => sendAndReset(shop.url, register, each))))

    const isOpen = await Promise.all(strangers.map(each => eightAtOnce(() => canLogIn(each))))
    expect(isOpen.filter(Boolean).length).toBeLessThanOrEqual(ACCOUNTS)
  })

  test('can have only as many mails sent as its address may', async () => {
    await Promise.all(
      customers.map(({ email }) => eightAtOnce(() => sendAndReset(shop.url, forgotPassword, { email }))),
    )

    // Mails are sent in the order in which they were requested.
    const last = newcomer()
    await clientElsewhere().register(last)
    await clientElsewhere().forgotPassword({ email: last.email })
    await expect.poll(resetLetters).toContain(last.email)
    expect((await resetLetters()).length - 1).toBeLessThanOrEqual(MAILS)
  })

  test(`keeps nobody else from logging in with ${FLOOD_MS / 1000} s of wrong passwords`, async () => {
    const honest = customers[0]!
    const until = Date.now() + FLOOD_MS
    const guess = async (_: unknown, at: number) => {
      const wrong = { email: `nobody-${at}@piazza.example`, password: 'Wrong-1234' }
      while (Date.now() < until) await sendAndReset(shop.url, login, wrong)
    }
    const flood = Promise.all(Array.from({ length: 20 }, guess))
    const times: number[] = []
    while (Date.now() < until) {
      const client = clientElsewhere()
      await addTime(times, () => Promise.all([client.login(honest), client.getHealth({})]))
    }
    await flood

    expect(times.length).toBeGreaterThan(0)
    printFigure('login and health beside logins from reset connections', spreadOf(times, 100), '1000 ms')
  })
})
