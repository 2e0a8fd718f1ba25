import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { register } from '#contract/auth.ts'
import { startShop } from '#tests/support/provider/shop.ts'

const REGISTER = `/api${register.path}`

test('a shop with an https address and no mail server logs a warning and no working links', async () => {
  const shop = await startShop({ DEMO: 'off', PUBLIC_URL: 'https://shop.example' })
  try {
    const folder = join(shop.dataDir, 'mail')
    await expect
      .poll(shop.log)
      .toContain(`Customers get no mail: set SMTP_URL. Until then, mails are files in ${folder}.`)
    const form = { name: 'Ada', email: 'ada@customers.test', password: 'Correct-Horse-9' }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(shop.url + REGISTER, { method: 'POST', headers, body: JSON.stringify(form) })
    expect(answer.status).toBe(201)

    await expect.poll(shop.log).toContain('Mail to ada@customers.test:')

    const [name] = (await readdir(folder)).filter(each => !each.startsWith('.'))
    expect(await readFile(join(folder, name!), 'utf8')).toContain('/confirm-email?token')
    expect(shop.log()).toContain(`Mail to ada@customers.test: ${name}`)
    expect(shop.log()).not.toContain('token')
  } finally {
    await shop.stop()
  }
})
