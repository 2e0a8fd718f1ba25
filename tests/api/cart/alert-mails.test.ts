import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { deliverAlerts } from '#server/cart/alert-delivery.ts'
import { mailAlert } from '#server/cart/alert-mail.ts'
import { type Letter, openMailer } from '#server/mail/mailer.ts'
import { openUnsubscribeLinks } from '#server/mail/unsubscribe-links.ts'
import { blockCustomer } from '#server/operators/customers.ts'
import type { AlertMail } from '#server/platform/job-data.ts'
import { addProduct, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'alerts=10000/1h' })
const { db, customer, letters, secrets, close } = shop
afterAll(close)
const log = pino({ level: 'silent' })

const alertsOf = async ({ api, id }: Customer) => (await api.getAlerts({ userId: id })).alerts

const mailsTo = async ({ email }: Customer) => {
  await lettersSent(db)
  return letters.filter(({ to, subject }) => to === email && subject !== 'Confirm your email address')
}

/** Sends the mail of an alert as its job does, which waits while the mail server cannot be reached. */
const sendMail = (about: AlertMail) => {
  const mail = { send: async (letter: Letter) => void letters.push(letter) }
  const unsubscribeLinks = openUnsubscribeLinks({ secrets })
  return mailAlert({ db, mail, publicUrl: '', unsubscribeLinks, limits: shop.limits }, about)
}

async function nextMails(ada: Customer) {
  await vi.waitFor(async () => expect(await mailsTo(ada)).toHaveLength(1), PATIENCE)
  return mailsTo(ada)
}

/** Does what a mail program does for 'Unsubscribe' (RFC 8058); returns the status of the response. */
async function pressButton(url: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' }
  const body = 'List-Unsubscribe=One-Click'
  return (await shop.fetch(new Request(url, { method: 'POST', headers, body }))).status
}

describe('an alert', () => {
  test('about a product that sold out again before its mail is sent mails when it is back once more', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { name: 'Kite', stock: 0 })
    const about = { userId: ada.id, productId: kite.id, variantId: kite.variantId, belowCents: null }

    await sendMail(about)

    expect(await mailsTo(ada)).toEqual([])
    expect(await alertsOf(ada)).toHaveLength(1)
    await setVariants(db, kite, { stock: 2 })
    expect(await nextMails(ada)).toMatchObject([{ subject: 'Back in stock: Kite' }])
  })

  test('about a price that rose again before the mail was sent stays until the price falls once more', async () => {
    const ada = await customer()
    const train = await addProduct(db, { name: 'Train', priceCents: 5000 })

    await sendMail({ userId: ada.id, productId: train.id, variantId: null, belowCents: 4000 })

    expect(await mailsTo(ada)).toEqual([])
    expect(await alertsOf(ada)).toMatchObject([{ belowCents: 4000 }])
    await setVariants(db, train, { priceCents: 3900 })
    expect(await nextMails(ada)).toMatchObject([{ subject: 'Now $39.00: Train' }])
  })

  test('whose mail waits while the customer ends all alerts is not mailed, and does not come back', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { name: 'Kite', stock: 2 })
    const train = await addProduct(db, { name: 'Train', stock: 0 })
    const waiting = [kite, train].map(({ id, variantId }) => {
      const about = { userId: ada.id, productId: id, variantId, belowCents: null }
      return { ...about, dueAt: Date.now() }
    })

    await ada.api.endAlerts({ token: openUnsubscribeLinks({ secrets }).tokenFor('alerts', ada.id) })
    for (const about of waiting) await sendMail(about)

    expect(await mailsTo(ada)).toEqual([])
    expect(await alertsOf(ada)).toEqual([])
    await ada.api.addAlert({ productId: train.id })
    await setVariants(db, train, { stock: 2 })
    expect(await nextMails(ada)).toMatchObject([{ subject: 'Back in stock: Train' }])
  })

  test('lets the unsubscribe button of mail programs end all alerts, which sends a form from another site', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { stock: 0 })
    await ada.api.addAlert({ productId: kite.id })
    await setVariants(db, kite, { stock: 1 })
    const [letter] = await nextMails(ada)
    await ada.api.addAlert({ productId: (await addProduct(db, { stock: 0 })).id })
    const folder = await mkdtemp(join(tmpdir(), 'piazza-mail-'))
    await openMailer({ smtpUrl: undefined, folder, from: 'help@shop.example', printsLinks: false, log }).send(letter!)
    const [name = ''] = await readdir(folder)
    const mail = await readFile(join(folder, name), 'utf8')
    await rm(folder, { recursive: true })

    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    const [, url = ''] = /^List-Unsubscribe: *<([^>]+)>$/m.exec(mail.replaceAll(/\n\s+/g, '')) ?? []
    expect(await pressButton(`${url}x`)).toBe(404)
    expect(await alertsOf(ada)).toHaveLength(1)
    expect(await pressButton(url)).toBe(200)
    expect(await alertsOf(ada)).toEqual([])
  })

  test('of a blocked customer waits until the customer is no longer blocked', async () => {
    const ada = await customer()
    const kite = await addProduct(db, { name: 'Kite', stock: 0 })
    const about = { userId: ada.id, productId: kite.id, variantId: kite.variantId, belowCents: null }
    await ada.api.addAlert({ productId: kite.id })
    const owned = { revokeAll: async () => undefined }
    await blockCustomer(db, owned, ada.email, true)

    await setVariants(db, kite, { stock: 2 })
    await deliverAlerts(shop)
    await sendMail(about)
    const mailsWhileBlocked = await mailsTo(ada)
    await blockCustomer(db, owned, ada.email, false)
    await deliverAlerts(shop)

    expect(mailsWhileBlocked).toEqual([])
    expect(await nextMails(ada)).toMatchObject([{ subject: 'Back in stock: Kite' }])
  })
})
