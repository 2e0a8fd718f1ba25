import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { auditEvents } from '#server/db/schema.ts'
import { KENYA } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, api, apiOf, apiFrom, customer, close } = await startProvider({
  limits:
    'accountChange=2/1h,accountMail=2/1d,confirmationMail=2/1d,confirmationMailPerMailbox=2/1d,dataDownload=2/1h,passwordChecks=6/1h',
})
afterAll(close)

/** Another password than the customer's. */
const WRONG = 'Wrong-Horse-9'
const tooMany = { status: 429 }
const { post: postal, ...address } = KENYA

const CHANGES: [does: string, event: string, change: (by: Customer) => Promise<unknown>][] = [
  [
    'saves their account',
    'account',
    by => by.api.updateAccount({ country: 'Kenya', currency: 'KES', shippingDetails: { ...address, postal } }),
  ],
  ['changes their name', 'name_changed', by => by.api.changeName({ name: 'Ada King' })],
  [
    'asks for another email address',
    'email_change',
    by => by.api.changeEmail({ newEmail: `new-${by.email}`, password: by.password }),
  ],
  ['keeps their email address', 'email_change_withdrawn', by => by.api.keepEmail({})],
  [
    'logs out another device',
    'sessions_ended',
    async by => {
      await api.login({ email: by.email, password: by.password })
      const { sessions } = await by.api.getSessions({})
      return by.api.endSession({ sessionId: sessions.at(-1)!.id })
    },
  ],
  [
    'logs out all other devices',
    'sessions_ended',
    async by => {
      await api.login({ email: by.email, password: by.password })
      return by.api.endOtherSessions({})
    },
  ],
  ['keeps their account', 'deletion_cancelled', by => by.api.keepAccount({})],
  [
    'changes their password',
    'password_changed',
    by => by.api.changePassword({ password: by.password, newPassword: by.password }),
  ],
  [
    'deletes their account',
    'deletion_requested',
    async by => {
      const { token } = await api.login({ email: by.email, password: by.password })
      return apiOf(token).deleteAccount({ password: by.password })
    },
  ],
  ['asks for their data', 'data_requested', by => by.api.requestData({ password: by.password })],
]

describe('a customer who', () => {
  test.each(CHANGES)(
    '%s again and again has to wait, others do not; the audit has it: %s',
    async (_, event, change) => {
      const [ada, grace] = [await customer('Ada'), await customer('Grace')]
      if (event === 'email_change_withdrawn')
        await ada.api.changeEmail({ newEmail: `other-${ada.email}`, password: ada.password })

      await change(ada)
      await change(ada)

      await expect(change(ada)).rejects.toMatchObject(tooMany)
      await expect(change(grace)).resolves.toBeDefined()
      const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id))
      expect(events.map(({ event: recorded }) => recorded)).toContain(event)
    },
  )

  test('asks for an address that others behind the same IP address have asked for has to wait, so that no stranger gets many mails', async () => {
    const newEmail = 'stranger@example.com'
    const askFor = async (address: string) => {
      const { token, password } = await customer()
      return apiFrom('7.0.0.1', token).changeEmail({ newEmail: address, password })
    }

    await askFor(newEmail)
    await askFor('stranger+1@example.com')

    await expect(askFor('Stranger@Example.com')).rejects.toMatchObject(tooMany)
    await expect(askFor('stranger+2@example.com')).rejects.toMatchObject(tooMany)
    await expect(askFor('neighbour@example.com')).resolves.toBeDefined()
  })

  test('types their right password again and again has to wait, too: each costs the shop a computation', async () => {
    const ada = await customer('Ada')
    for (let count = 0; count < 6; count += 1)
      await ada.api.requestData({ password: ada.password }).catch(() => undefined)

    // A password that is not checked cannot be found wrong.
    await expect(ada.api.requestData({ password: WRONG })).rejects.toMatchObject(tooMany)
  })

  test('guesses a password with every call that asks for it has five guesses in all', async () => {
    const ada = await customer('Ada')
    const calls = (password: string) => [
      () => ada.api.changePassword({ password, newPassword: 'Better-Horse-10' }),
      () => ada.api.changeEmail({ newEmail: `new-${ada.email}`, password }),
      () => ada.api.requestData({ password }),
      () => ada.api.deleteAccount({ password }),
    ]
    for (const guess of [...calls(WRONG), calls(WRONG)[0]!])
      await expect(guess()).rejects.toMatchObject({ status: 422 })

    for (const call of calls(ada.password)) await expect(call()).rejects.toMatchObject(tooMany)
    const { token } = await api.login({ email: ada.email, password: ada.password })
    await expect(apiOf(token).getAccount({})).resolves.not.toHaveProperty('deletion')
  })
})
