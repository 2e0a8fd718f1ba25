import { axe, expect, expectAccessible, measureShifts, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { orderKite, payWith, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { trackingLinkTo } from '#tests/support/browser/tracking-link.ts'
import { market } from '#tests/support/provider/market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test('the link in a mail shows the order’s progress without a login, and links to the full order', async ({
  page,
  shop,
  browser,
  baseURL,
}) => {
  const customer = await signUpInKenya(page)
  const orderId = await orderKite(page, customer)
  await page.goto(`/payment?order=${orderId}`)
  await payWith(page, '4242 4242 4242 4242')
  await expect(page).toHaveURL('/dashboard')
  await market(shop, 'order', 'ship', orderId, '--carrier', 'dhl', '--tracking', 'JD 01')
  const path = await trackingLinkTo(shop, customer.email, 'shipped your order')
  const context = await browser.newContext({ baseURL: baseURL!, viewport: page.viewportSize() })
  const visitor = await context.newPage()
  const shifts = await measureShifts(visitor)

  const response = await visitor.goto(path)

  expect(response?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(visitor).toHaveURL('/track-order')
  const parcel = visitor.getByRole('region', { name: 'Parcel 1' })
  await expect(parcel).toContainText('DHL · JD 01')
  await expect(parcel).toContainText('Red kite')
  const main = visitor.getByRole('main')
  await expect(main).toContainText(/Order PZ-[2-9A-Z]{6}/)
  for (const secret of ['Lovelace', 'Analytical', '$']) await expect(main).not.toContainText(secret)
  await expect(visitor.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  expect(await shifts()).toEqual({ sum: 0, moved: [] })
  await expectAccessible(visitor)
  await visitor.reload()
  await expect(parcel).toBeVisible()
  await visitor.setViewportSize(NARROWEST)
  expect(await overflowing(visitor)).toEqual([])

  await visitor.getByRole('link', { name: 'Log in to see everything' }).click()
  await expect(visitor).toHaveURL(/\/login/)
  await fill(visitor, { Email: customer.email, Password: customer.password })
  await submit(visitor, 'Log in').click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Order details')
  await visitor.getByRole('button', { name: 'End these links' }).click()
  await expect(visitor.getByText('no longer work')).toBeVisible()
  await context.close()
})

test('a link that was changed says what to do', { tag: '@desktop' }, async ({ page, faults }) => {
  faults.expect(/422/)

  await page.goto('/track-order?token=changed')

  await expect(page.getByText('This link is incomplete or has been revoked.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Log in to see your orders' })).toBeVisible()
  expect(await axe(page)).toEqual([])
})
