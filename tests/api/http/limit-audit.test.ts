import { afterAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { auditEvents } from '#server/db/schema.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const provider = await startProvider({ limits: 'confirmationMailPerMailbox=1/1d,unconfirmedMail=1/1d,login=1/15m' })
const { db, apiFrom, limits, customer, close } = provider
afterAll(close)

const market = operatorOf(provider)
const password = 'Correct-Horse-9'

async function rejectedBy(limit: string): Promise<Record<string, unknown>[]> {
  const events = await db.select().from(auditEvents).where(eq(auditEvents.event, 'limit'))
  return events.map(({ details }) => details).filter(details => details.limit === limit)
}

describe('the audit of exceeded limits', () => {
  test('does not contain the email address of a customer who was erased', async () => {
    const { email, token } = await customer()
    const here = apiFrom('7.4.0.1', token)
    for (let times = 0; times < 4; times += 1) await here.forgotPassword({ email })
    for (let times = 0; times < 2; times += 1)
      await here.changeEmail({ newEmail: email.replace('@', '+new@'), password }).catch(() => undefined)
    for (let times = 0; times < 2; times += 1) await limits.allows('unconfirmedMail', email)

    expect(await market('customer', 'erase', email, '--yes')).toMatchObject({ code: 0 })

    for (const limit of ['forgot', 'confirmationMailPerMailbox', 'unconfirmedMail'])
      expect(await rejectedBy(limit)).toHaveLength(1)
    expect(await db.$count(auditEvents, sql`${auditEvents}::text ilike ${`%${email.split('@')[0]}%`}`)).toBe(0)
  })

  test('shows whether one mailbox is meant, and from which address', async () => {
    const [ada, grace] = [await customer(), await customer()]
    for (const { email } of [ada, ada, grace])
      for (const address of ['7.4.1.1', '7.4.1.2'])
        for (let times = 0; times < 2; times += 1)
          await apiFrom(address)
            .login({ email, password: 'Wrong-Horse-9' })
            .catch(() => undefined)

    const keys = (await rejectedBy('login')).map(({ key }) => String(key).split(' '))

    expect(keys.map(([, address]) => address)).toEqual(['7.4.1.1', '7.4.1.2', '7.4.1.1', '7.4.1.2'])
    const [first, second, third, fourth] = keys.map(([mailbox]) => mailbox)
    expect([second, fourth]).toEqual([first, third])
    expect(third).not.toBe(first)
  })

  test('names accounts and addresses as they are', async () => {
    for (const key of ['5.6.7.8', 'account-1'])
      for (let times = 0; times < 6; times += 1) await limits.allows('review', key)

    expect((await rejectedBy('review')).map(({ key }) => key)).toEqual(['5.6.7.8', 'account-1'])
  })
})
