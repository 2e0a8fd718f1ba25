import type { Locator, Page } from 'playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { faultOf, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { field, submit, toastOf } from '#tests/support/browser/forms.ts'
import { confirmAddress, fillCart, payButton, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const SIZES = [320, 390, 768, 1280].map(width => ({ width, height: 800 }))
const FOOTER = ['/about-us', '/privacy-policy', '/return-refund-policy', '/terms-and-conditions']

const header = (page: Page) => page.getByRole('banner')
const steps = (page: Page) => page.getByRole('list', { name: 'Checkout' })

async function openCheckout(page: Page) {
  const customer = await signUpInKenya(page)
  await fillCart(page, customer, { kite: 1 })
  await page.goto('/shipping')
  await expect(field(page, 'City')).toHaveValue('Nairobi')
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (!box) throw new Error('It has no box')
  return box
}

/** Checks that the newest toast lies within the header: below it, everything has to be read. */
async function expectInHeader(page: Page, text: string) {
  const toast = toastOf(page, text).and(page.locator('[data-front="true"]'))
  await expect(toast).toBeVisible()
  await expect(async () => {
    const { y, height } = await boxOf(toast)
    const bar = await boxOf(header(page))
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(bar.y + bar.height)
  }).toPass()
}

/** Checks that the button is in view from the top to the end of the page, and never over what has the focus. */
async function expectInView(page: Page, button: Locator) {
  const { width, height } = page.viewportSize()!
  await expect(button).toBeVisible()
  await page.evaluate(() => scrollTo(0, 0))
  await expect(button).toBeInViewport({ ratio: 1 })
  const bar = button.locator('xpath=ancestor::*[@data-bottom-bar]')
  for (const link of await page.getByRole('main').locator('a, select, input, button').filter({ visible: true }).all()) {
    await link.focus()
    if (await bar.evaluate((own, other) => own.contains(other), await link.elementHandle())) continue
    await expect(async () => {
      const { y, height: tall } = await boxOf(link)
      const over = await boxOf(bar)
      expect(y + tall <= over.y || y >= over.y + over.height, await link.evaluate(own => own.outerHTML)).toBe(true)
    }).toPass()
  }
  for (const size of [NARROWEST, { width, height }]) {
    await page.setViewportSize(size)
    expect(await overflowing(page)).toEqual([])
    await page.evaluate(() => scrollTo(0, 0))
    await expect(button).toBeInViewport({ ratio: 1 })
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  expect(await overflowing(page)).toEqual([])
  await page.evaluate(() => (document.documentElement.style.fontSize = ''))
  // As high as a phone's window above its keyboard.
  await page.setViewportSize({ width, height: 400 })
  await expect(bar).toHaveCSS('position', 'static')
  await page.setViewportSize({ width, height })
}

test.describe('the checkout’s pages', { tag: '@desktop' }, () => {
  test('have one main button each, and always show where the customer is', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    const mainButtons = page.getByRole('main').locator('.button')
    await openCheckout(page)
    await expect(mainButtons).toHaveText(['Continue'])
    await expect(steps(page).locator('[aria-current]')).toHaveText(/Address/)

    await confirmAddress(page)
    await expect(mainButtons).toHaveText(['Place Order'])
    await expect(steps(page).locator('[aria-current]')).toHaveText(/Review/)
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(steps(page)).toBeInViewport({ ratio: 1 })
    const bar = await boxOf(header(page))
    expect((await boxOf(steps(page))).y).toBe(bar.y + bar.height)

    await submit(page, 'Place Order').click()
    await expect(payButton(page)).toBeVisible()
    await expect(mainButtons).toHaveText([/^Pay \$/])
    await expect(steps(page).locator('[aria-current]')).toHaveText(/Pay/)
    expect(await axe(page)).toEqual([])
  })

  test('have a small header and footer, with all links', async ({ page }) => {
    await openCheckout(page)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      expect((await boxOf(header(page))).height, `at ${size.width} px`).toBeLessThan(72)
      expect((await boxOf(page.getByRole('contentinfo'))).height, `at ${size.width} px`).toBeLessThan(360)
      expect(await overflowing(page), `at ${size.width} px`).toEqual([])

      await header(page).locator('summary').click()
      const links = header(page).getByRole('link')
      const shown = links.filter({ visible: true })
      await expect(shown.and(header(page).getByRole('link', { name: 'Sell online' }))).toHaveCount(1)
      for (const href of ['/', '/dashboard', '/dashboard/my-wishlist', '/cart'])
        await expect(shown.and(page.locator(`[href="${href}"]`)), href).toHaveCount(1)
      await expect(header(page).getByRole('combobox', { name: 'Category' })).toBeVisible()
      expect(await overflowing(page), `at ${size.width} px`).toEqual([])
      await header(page).locator('summary').click()
    }
    const footer = page.getByRole('contentinfo')
    for (const href of FOOTER) await expect(footer.locator(`[href="${href}"]`), href).toBeVisible()
    await expect(footer.locator('[href^="mailto:"]')).toBeVisible()
    await expect(footer).toContainText('© 2025')
    await footer.getByRole('textbox', { name: 'Email' }).fill('ada@piazza.example')
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await expectInHeader(page, 'Subscribed!')

    await header(page).locator('summary').click()
    await page.getByLabel('Search products').fill('kite')
    await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL('/products/search?category=&value=kite')
  })

  test('hold their header and the three steps without a script', async ({ request }) => {
    for (const path of ['/shipping', '/payment']) {
      const html = await (await request.get(path)).text()
      expect(html, path).toMatch(/<header data-quiet/)
      expect(html, path).toMatch(/<ol aria-label="Checkout".*Address.*Review.*Pay/s)
    }
  })
})

test('a field that is to be filled in shows its label below the steps', { tag: '@phone' }, async ({ page }) => {
  await openCheckout(page)
  for (const label of ['Address', 'City']) {
    await field(page, label).fill('')
    // Half below the steps, so that the window scrolls only as far as needed.
    const { height: bar, y: top } = await boxOf(steps(page))
    const { y } = await boxOf(field(page, label))
    await page.evaluate(by => scrollBy({ top: by, behavior: 'instant' }), y - (top + bar) + 20)

    await submit(page, 'Continue').click()

    await expect(field(page, label)).toBeFocused()
    await expect(async () => {
      const { y, height } = await boxOf(steps(page))
      const above = await boxOf(
        page
          .getByRole('main')
          .locator('label')
          .filter({ hasText: new RegExp(`^${label}`) }),
      )
      expect(above.y, label).toBeGreaterThanOrEqual(y + height)
    }).toPass()
    await field(page, label).fill('Nairobi')
  }
})

test.describe('a message in the checkout', { tag: '@desktop' }, () => {
  test(
    'covers nothing but the header, and stands beside the button too',
    { tag: '@long' },
    async ({ page, faults }) => {
      faults.expect(faultOf(422, placeOrder)).expect(/status of 422/)
      await openCheckout(page)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await field(page, 'City').fill('')
        await submit(page, 'Continue').click()
        await expectInHeader(page, 'Please fill in all required fields')
        await expect(field(page, 'City')).toBeFocused()
        await expect(submit(page, 'Continue')).toHaveAccessibleDescription('Please fill in all required fields')
      }
      await field(page, 'City').fill('Nairobi')
      await expect(submit(page, 'Continue')).toHaveAccessibleDescription('')
      await submit(page, 'Continue').click()
      await expect(submit(page, 'Place Order')).toBeEnabled()
      const refusal = 'Please confirm your email address before you order, so that we can reach you about your parcels'
      await page.route(routeOf(placeOrder), route => route.fulfill({ status: 422, json: { error: refusal } }))
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await submit(page, 'Place Order').click()
        await expectInHeader(page, refusal)
        await expect(page.getByRole('region', { name: 'Order summary' }).getByRole('alert')).toHaveText(refusal)
      }
    },
  )
})

test.describe('the main button of each step', { tag: '@phone' }, () => {
  test(
    'stays in view on a phone, covers nothing that has the focus, and leaves short windows alone',
    { tag: '@long' },
    async ({ page }) => {
      const customer = await signUpInKenya(page)
      await fillCart(page, customer, { wagon: 2, kite: 1, ball: 1 })
      await page.goto('/shipping')
      await expect(field(page, 'City')).toHaveValue('Nairobi')
      await expectInView(page, submit(page, 'Continue'))

      await submit(page, 'Continue').click()
      const summary = page.getByRole('region', { name: 'Order summary' })
      await expectInView(page, submit(page, 'Place Order'))
      await expect(summary.getByText('Total', { exact: true })).toBeInViewport({ ratio: 1 })
      expect(await axe(page)).toEqual([])

      await submit(page, 'Place Order').click()
      await expectInView(page, payButton(page))
    },
  )

  test('shows why an order was rejected, wherever the customer was reading', async ({ page, faults }) => {
    faults.expect(faultOf(422, placeOrder)).expect(/status of 422/)
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { wagon: 2, kite: 1, ball: 1 })
    await page.goto('/shipping')
    await submit(page, 'Continue').click()
    const refusal = 'Only 1 left of Wooden wagon'
    await page.route(routeOf(placeOrder), route => route.fulfill({ status: 422, json: { error: refusal } }))

    await submit(page, 'Place Order').click()

    const alert = page.getByRole('region', { name: 'Order summary' }).getByRole('alert')
    await expect(alert).toHaveText(refusal)
    await expect(alert).toBeInViewport({ ratio: 1 })
    await expect(async () => {
      const bar = await boxOf(submit(page, 'Place Order'))
      const { y, height } = await boxOf(alert)
      expect(y + height).toBeLessThanOrEqual(bar.y)
    }).toPass()
  })
})
