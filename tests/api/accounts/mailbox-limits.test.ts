import { afterAll, describe, expect, test } from 'vitest'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

// Uses the default limits.
const { db, api, apiFrom, customer, letters, close } = await startProvider()
afterAll(close)

const password = 'Correct-Horse-9'
const NEW_PASSWORD = 'Better-Horse-10'
const RESET = 'Choose a new password'
const CONFIRM = 'Confirm your email address'

let addressCount = 0
const newMailbox = () => `mailbox-${(addressCount += 1)}@customers.test`
const tagged = (email: string, tag: number) => email.replace('@', `+${tag}@`)

/** The letters with this subject to an address or, with a tag, to its mailbox. */
async function lettersTo(email: string, subject: string) {
  await lettersSent(db)
  return letters.filter(letter => letter.to.replace(/\+\d+@/, '@') === email && letter.subject === subject)
}

async function register(address: string, email: string) {
  const { token } = await apiFrom(address).register({ name: 'Ada', email, password })
  return apiFrom(address, token)
}

describe('a stranger who adds tags to a customer’s address', () => {
  test('cannot stop her links to new passwords', async () => {
    const { email } = await customer()
    for (let tag = 0; tag < 6; tag += 1) await apiFrom('7.1.0.1').forgotPassword({ email: tagged(email, tag) })

    await apiFrom('7.1.0.2').forgotPassword({ email })

    expect(await lettersTo(email, RESET)).toHaveLength(1)
  })

  test('cannot stop them with accounts that have such addresses', async () => {
    const email = newMailbox()
    const networks = ['7.1.1.1', '7.1.1.2', '7.1.1.3']
    for (const network of networks) {
      await register(network, tagged(email, networks.indexOf(network)))
      for (let times = 0; times < 3; times += 1)
        await apiFrom(network).forgotPassword({ email: tagged(email, networks.indexOf(network)) })
    }
    await register('7.1.1.9', email)

    await apiFrom('7.1.1.9').forgotPassword({ email })

    expect((await lettersTo(email, RESET)).filter(({ to }) => to === email)).toHaveLength(1)
  })

  test('cannot stop the mails that confirm her address', async () => {
    const email = newMailbox()
    for (let tag = 0; tag < 12; tag += 1) await register('7.1.2.1', tagged(email, tag))

    const ada = await register('7.1.2.2', email)
    await ada.sendConfirmation({})

    expect((await lettersTo(email, CONFIRM)).filter(({ to }) => to === email)).toHaveLength(2)
  })

  test('cannot stop her from changing to that address', async () => {
    const [mallory, ada, newEmail] = [await customer(), await customer(), newMailbox()]
    for (let tag = 0; tag < 5; tag += 1)
      await apiFrom('7.1.3.1', mallory.token).changeEmail({ newEmail: tagged(newEmail, tag), password })

    await expect(apiFrom('7.1.3.2', ada.token).changeEmail({ newEmail, password })).resolves.toEqual({
      message: `We have sent a link to ${newEmail}`,
    })
  })
})

describe('one mailbox', () => {
  test('gets at most three links to new passwords an hour that one address asks for, in whatever spelling', async () => {
    const spellings = ['ada.l@gmail.com', 'ad.al@gmail.com', 'adal+1@gmail.com', 'adal@googlemail.com']
    for (const email of spellings) await register('7.2.0.1', email)
    for (const email of spellings) await apiFrom('7.2.0.1').forgotPassword({ email })
    await lettersSent(db)

    expect(letters.filter(({ to, subject }) => spellings.includes(to) && subject === RESET)).toHaveLength(3)
  })

  test('gets at most five of them in half an hour from all addresses, and the last one works', async () => {
    const { email } = await customer()
    for (let at = 0; at < 8; at += 1) await apiFrom(`7.2.1.${at}`).forgotPassword({ email })

    const mailed = await lettersTo(email, RESET)

    expect(mailed).toHaveLength(5)
    const token = new URL(mailed.at(-1)!.link).searchParams.get('token') ?? ''
    await expect(api.resetPassword({ token, newPassword: NEW_PASSWORD })).resolves.toHaveProperty('message')
  })

  test('gets at most ten confirmations a day that one address asks for, with or without tags', async () => {
    const email = newMailbox()
    for (let tag = 0; tag < 12; tag += 1) await register('7.2.2.1', tagged(email, tag))

    const last = await register('7.2.2.1', email)
    await expect(last.sendConfirmation({})).rejects.toMatchObject({ status: 429 })
    const { token } = await customer()
    const change = apiFrom('7.2.2.1', token).changeEmail({ newEmail: tagged(email, 99), password })
    await expect(change).rejects.toMatchObject({ status: 429 })
    expect(await lettersTo(email, CONFIRM)).toHaveLength(10)
  })
})
