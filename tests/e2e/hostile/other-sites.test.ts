import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { getAccount, updateAccount } from '#contract/account.ts'
import * as contract from '#contract/auth.ts'
import { logout, refreshToken } from '#contract/session.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { settled } from '#tests/support/browser/settled.ts'

const PASSWORD = 'Correct-Horse-9'

/** Requests that another site can make a browser send to the shop without user interaction. */
const attack = (shop: string, email: string) => `<!doctype html><title>Kittens</title>
<img src="${shop}/api${logout.path}" alt=""><img src="${shop}/api/order/confirm/1" alt="">
<iframe name="hidden"></iframe>
<form id="form" method="post" target="hidden" action="${shop}/api${contract.register.path}" enctype="text/plain">
<input name='{"name":"Eve Evil","email":"${email}","password":"${PASSWORD}","rest":"' value='"}'></form>
<form id="files" method="post" target="hidden" action="${shop}/api${updateAccount.path}" enctype="multipart/form-data">
<input name="country" value="Kenya"></form>
<script>
  const ask = (path, init) => fetch('${shop}' + path, { credentials: 'include', ...init }).then(r => r.type, () => 'refused')
  const body = JSON.stringify({ name: 'Eve Evil', email: '${email}', password: '${PASSWORD}' })
  document.getElementById('form').submit()
  document.getElementById('files').submit()
  window.answers = Promise.all([
    ask('/api${refreshToken.path}', { method: 'POST' }),
    ask('/api${refreshToken.path}', { method: 'POST', mode: 'no-cors' }),
    ask('/api${contract.register.path}', { method: 'POST', mode: 'no-cors', body }),
    ask('/api${contract.register.path}', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    ask('/api${logout.path}', { headers: { authorization: 'Bearer x' } }),
  ])
</script>`

test(
  'a page of another site can neither change nor read anything',
  { tag: '@desktop' },
  async ({ page, baseURL, faults }) => {
    const shop = new URL(baseURL!).origin
    const credentials = { name: 'Ada Lovelace', email: `ada-${Date.now()}@customers.test`, password: PASSWORD }
    const registered = await page.request.post(`${shop}/api${contract.register.path}`, { data: credentials })
    expect(registered.status()).toBe(201)
    const { token } = (await registered.json()) as { token: string }
    const victim = `eve-${Date.now()}@evil.example`
    const site = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html')
      res.end(attack(shop, victim))
    }).listen(0, 'localhost')
    await once(site, 'listening')
    // The rejected requests, and the other site itself.
    faults.expect(
      /^(40\d|41\d) .*\/api\/|status of 4\d\d|CORS policy|ERR_FAILED|ERR_BLOCKED|frame|favicon|^foreign request: http:\/\/localhost/,
    )

    const posted = page.waitForResponse(
      response => response.request().isNavigationRequest() && response.url().startsWith(shop),
    )
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    const answers = await page.evaluate(() => (window as unknown as { answers: Promise<string[]> }).answers)
    await posted
    await settled(page)
    site.close()

    expect(answers.filter(answer => answer !== 'refused' && answer !== 'opaque')).toEqual([])
    const mine = await page.request.get(`${shop}/api${getAccount.path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await mine.json()).toMatchObject({ country: '' })
    const login = await page.request.post(`${shop}/api${contract.login.path}`, {
      data: { email: victim, password: PASSWORD },
    })
    expect(login.status()).toBeGreaterThanOrEqual(400)
  },
)
