import type { Page } from 'playwright/test'
import { confirmEmail } from '#contract/auth.ts'
import { newcomer, signUp } from '#tests/support/accounts/customer.ts'
import { expect, expectAccessible, measureShifts } from '#tests/support/browser/e2e.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { linkMailedTo } from '#tests/support/provider/mailed-links.ts'
import { confirmAddress, fillCart, orderKite, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const PATH = '/confirm-email'
const CONFIRMED = 'Your email address is confirmed. Thank you!'
const DEAD = 'This link has expired or has already been used.'
const NOTICE = 'Please confirm your email address'
const unconfirmed = { isConfirmed: false }

const main = (page: Page) => page.getByRole('main')
const notice = (page: Page) => page.getByRole('region', { name: NOTICE })

test('a new customer confirms the email address by the link in the first email', async ({ page, shop }) => {
  const { name, email, password } = newcomer()
  await page.goto('/register')
  await fill(page, { Name: name, Email: email, Password: password })
  await submit(page, 'Register').click()
  await expect(page).toHaveURL('/')
  await page.goto('/dashboard')
  await expect(notice(page)).toBeVisible()

  const told: string[] = []
  page.on('request', request => told.push(request.headers().referer ?? '', request.url()))
  const shifts = await measureShifts(page)
  const link = await linkMailedTo(shop, email, PATH)
  await page.goto(link)

  await expect(page).toHaveURL(PATH)
  await expect(main(page).getByText(CONFIRMED)).toBeVisible()
  expect(await shifts()).toEqual({ sum: 0, moved: [] })
  // The token is in one request only, and never in a referrer.
  expect(told.filter(text => text.includes('token='))).toHaveLength(1)
  await expectAccessible(page)
  await page.reload()
  await expect(main(page).getByText(CONFIRMED)).toBeVisible()
  await main(page).getByRole('link', { name: 'Go to your dashboard' }).click()
  await expect(page.getByRole('link', { name: 'Browse products' })).toBeVisible()
  await expect(notice(page)).toBeHidden()
})

test(
  'a link works on another device, once, and then offers the login',
  { tag: ['@desktop', '@long'] },
  async ({ page, browser, shop, faults }) => {
    faults.expect(/^422 /).expect(/status of/)
    const { email } = await signUp(page, 'Ada', unconfirmed)
    await page.goto('/dashboard/account')
    await expect(notice(page)).toBeVisible()
    const link = await linkMailedTo(shop, email, PATH)

    const elsewhere = await browser.newContext({ baseURL: shop.url })
    const phone = await elsewhere.newPage()
    await phone.goto(link)
    await expect(main(phone).getByText(CONFIRMED)).toBeVisible()
    await phone.goto(link)
    await expect(main(phone).getByText(DEAD)).toBeVisible()
    await expect(main(phone).getByRole('link', { name: 'Log in' })).toHaveAttribute(
      'href',
      '/login?next=%2Fdashboard%2Faccount',
    )
    await expectAccessible(phone)
    await elsewhere.close()

    // A signed-in customer reads which address is confirmed: the link may have been for another one.
    await page.goto(link)
    await expect(main(page).getByText(`Your address is ${email}, and it is confirmed.`)).toBeVisible()
    await expect(main(page).getByText(DEAD)).toBeVisible()
    await expectAccessible(page)
  },
)

test(
  'a customer with an expired confirmation link can request a new one',
  { tag: ['@desktop', '@long'] },
  async ({ page, shop, faults }) => {
    faults.expect(/^422 /).expect(/status of/)
    const { email } = await signUp(page, 'Ada', unconfirmed)
    await linkMailedTo(shop, email, PATH)
    const shifts = await measureShifts(page)
    await page.goto(`${PATH}?token=${'a'.repeat(43)}`)
    await expect(main(page).getByText(DEAD)).toBeVisible()
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
    await expectAccessible(page)

    await main(page).getByRole('button', { name: 'Send a new link' }).click()

    await expect(main(page).getByText(`We have sent a link to ${email}.`)).toBeVisible()
    await expectAccessible(page)
    await page.goto(await linkMailedTo(shop, email, PATH, 2))
    await expect(main(page).getByText(CONFIRMED)).toBeVisible()
  },
)

test('offers a retry when the marketplace cannot be reached', { tag: '@desktop' }, async ({ page, shop, faults }) => {
  faults.expect(/ERR_FAILED/)
  const { email } = await signUp(page, 'Ada', unconfirmed)
  const link = await linkMailedTo(shop, email, PATH)
  await page.route(`**/api${confirmEmail.path}`, route => route.abort(), { times: 1 })
  await page.goto(link)
  await expect(main(page).getByText('The marketplace cannot be reached right now.')).toBeVisible()
  await expectAccessible(page)

  await main(page).getByRole('button', { name: 'Try again' }).click()

  await expect(main(page).getByText(CONFIRMED)).toBeVisible()
})

test(
  'the confirmation page says that the link is incomplete when it has no token',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto(PATH)
    await expect(main(page).getByText('This link is incomplete.')).toBeVisible()
  },
)

test(
  'the dashboard and the account page ask for confirmation, without layout shift',
  { tag: '@long' },
  async ({ page, shop }) => {
    const { email } = await signUp(page, 'Ada', unconfirmed)
    await linkMailedTo(shop, email, PATH)
    for (const [path, heading] of [
      ['/dashboard', 'Recent Orders'],
      ['/dashboard/account', 'Update Account Information'],
    ] as const) {
      const shifts = await measureShifts(page)
      await page.goto(path)
      await expect(notice(page)).toBeVisible()
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
      expect(await shifts()).toEqual({ sum: 0, moved: [] })
      await expectAccessible(page)
    }

    await notice(page).getByRole('button', { name: 'Send the link again' }).click()

    await expect(notice(page)).toContainText(`We have sent a link to ${email}.`)
    await expect(main(page)).toBeFocused()
    await linkMailedTo(shop, email, PATH, 2)
  },
)

test(
  'a second unpaid order needs a confirmed email address',
  { tag: ['@desktop', '@long'] },
  async ({ page, shop, faults }) => {
    faults.expect(/^422 /).expect(/status of/)
    const ada = await signUpInKenya(page, unconfirmed)
    await orderKite(page, ada)
    await fillCart(page, ada, { ball: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)
    await submit(page, 'Place Order').click()

    const summary = page.getByRole('region', { name: 'Order summary' })
    await expect(summary.getByText(NOTICE)).toBeVisible()
    await expectAccessible(page)
    await summary.getByRole('button', { name: 'Send the link again' }).click()
    await expect(summary).toContainText(`We have sent a link to ${ada.email}.`)
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(await linkMailedTo(shop, ada.email, PATH, 2))
    await expect(main(elsewhere).getByText(CONFIRMED)).toBeVisible()
    await elsewhere.close()

    await submit(page, 'Place Order').click()
    await expect(page).toHaveURL(/\/payment\?order=/)
  },
)
