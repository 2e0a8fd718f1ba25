import { afterAll, describe, expect, test } from 'vitest'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, apiFrom, customer, newcomer, letters, close } = await startProvider({
  limits: 'reset=3/1h,confirmEmail=3/1h',
})
afterAll(close)

const password = 'Correct-Horse-9'
const newPassword = 'Better-Horse-10'
const tooMany = { status: 429 }

async function tokenFor(email: string): Promise<string> {
  await lettersSent(db)
  const link = letters.findLast(({ to }) => to === email)?.link ?? ''
  return new URL(link).searchParams.get('token') ?? ''
}

/** The statuses of four calls. */
async function fourTimes(call: () => Promise<unknown>): Promise<unknown[]> {
  const statuses: unknown[] = []
  for (let times = 0; times < 4; times += 1)
    statuses.push(await call().catch((error: unknown) => (error as { status: number }).status))
  return statuses
}

describe('wrong tokens are limited by address, and do not keep others behind it', () => {
  test('from choosing a new password', async () => {
    const { email } = await customer()
    await api.forgotPassword({ email })
    const token = await tokenFor(email)
    const here = apiFrom('7.3.0.1')

    const statuses = await fourTimes(() => here.resetPassword({ token: 'guess', newPassword }))

    expect(statuses).toEqual([422, 422, 422, 429])
    await expect(here.resetPassword({ token, newPassword })).resolves.toHaveProperty('message')
  })

  test('from confirming the address of a new account or a changed one', async () => {
    const [grace, ada] = [await newcomer(), await customer()]
    const newEmail = `new-${ada.email}`
    await ada.api.changeEmail({ newEmail, password })
    const tokens = [await tokenFor(grace.email), await tokenFor(newEmail)]
    const here = apiFrom('7.3.1.1')

    expect(await fourTimes(() => here.confirmEmail({ token: 'guess' }))).toEqual([422, 422, 422, 429])
    for (const token of tokens) await expect(here.confirmEmail({ token })).resolves.toHaveProperty('message')
  })
})

test('one link can be tried only a few times from all addresses: each try may cost a password hash', async () => {
  const { email } = await customer()
  await api.forgotPassword({ email })
  const token = await tokenFor(email)
  let at = 0
  const tryFrom = () => apiFrom(`7.3.2.${(at += 1)}`).resetPassword({ token, newPassword: 'P@ssw0rd' })

  expect(await fourTimes(tryFrom)).toEqual([422, 422, 422, 429])
  await expect(apiFrom('7.3.2.9').resetPassword({ token, newPassword })).rejects.toMatchObject(tooMany)
})
