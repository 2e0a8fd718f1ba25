import type { Page } from 'playwright/test'
import { addAlert, addToWishlist, endAlerts, getAlerts, removeAlert } from '#contract/wishlist.ts'
import { register, signUp } from '#tests/support/accounts/customer.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, measureShifts, NARROWEST, overflowing, test } from '#tests/support/browser/e2e.ts'
import { fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'

const SOLD_OUT = '/product/details/minute-fader-two-channel-mixer'
const NAME = 'Minute Fader'
const ALERTS_CODE = /_astro\/alerts\..*js/

const tellMe = (page: Page) =>
  page.getByRole('form', { name: /^Buy/ }).getByRole('button', { name: 'Tell me when it is back' })
const endAlert = (page: Page) =>
  page.getByRole('form', { name: /^Buy/ }).getByRole('button', { name: 'We will tell you. End alert' })
const alerts = (page: Page) => page.getByRole('region', { name: 'Your alerts' })
const alertOf = (page: Page, name: string) => alerts(page).getByRole('listitem').filter({ hasText: name })

test.describe('alerts', () => {
  test(
    'a visitor asks to be told when a product is back, logs in for it, and ends it with one click',
    { tag: '@phone' },
    async ({ page, request }) => {
      const { email, password } = await register(request)
      await page.goto(SOLD_OUT)
      await tellMe(page).click()
      await expect(page).toHaveURL(url => url.pathname === '/login')
      await expect(page.getByText(/^Log in to be notified when .* is back in stock\.$/)).toBeVisible()
      await fill(page, { Email: email, Password: password })
      await submit(page, 'Log in').click()

      await expect(page).toHaveURL(url => url.pathname === SOLD_OUT)
      await expect(tellMe(page)).toHaveCount(0)
      await endAlert(page).click()
      await expect(tellMe(page)).toBeFocused()
      await page.goto('/dashboard/my-wishlist')
      await expect(page.getByText('No items in your wishlist')).toBeVisible()
      await expect(alerts(page)).toHaveCount(0)
    },
  )

  test('a press takes effect even if the alerts load during it', { tag: '@phone' }, async ({ page }) => {
    await signUp(page)
    const { reached, release } = await holdBack(page, ALERTS_CODE)
    await page.goto(SOLD_OUT)
    await reached
    await tellMe(page).hover()
    await page.mouse.down()
    const known = page.waitForResponse(routeOf(getAlerts))
    release()
    await known

    await page.mouse.up()

    await expect(endAlert(page)).toBeVisible()
  })

  test('a customer is told when the code of alerts cannot be fetched', { tag: '@phone' }, async ({ page, faults }) => {
    faults.expect(/ERR_FAILED/).expect(/dynamically imported module/)
    await signUp(page)
    await page.route(ALERTS_CODE, route => route.abort())
    await page.goto(SOLD_OUT)

    await tellMe(page).click()

    await expect(page.getByText('The market cannot be reached. Please try again.')).toBeVisible()
  })

  test('products in stock stand beside a sold-out one', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(SOLD_OUT)
    const instead = page.getByRole('region', { name: 'In stock instead' })

    await expect(instead.getByRole('listitem')).not.toHaveCount(0)
    await instead.getByRole('link').first().click()

    await expect(page.getByText(/^In Stock/).first()).toBeVisible()
    await expect(instead).toHaveCount(0)
  })

  test('the wishlist asks for a price, lists the alerts and ends them', { tag: '@phone' }, async ({ page, faults }) => {
    faults
      .expect(/^422 /)
      .expect(/status of 422/)
      .expect(/^503 /)
      .expect(/status of 503/)
    await signUp(page)
    await page.goto(SOLD_OUT)
    await tellMe(page).click()
    await expect(endAlert(page)).toBeVisible()
    await page.goto(PRODUCT)
    const saved = page.waitForResponse(routeOf(addToWishlist))
    await page.getByRole('button', { name: 'Add to wishlist' }).click()
    // The heart shows it before it is stored.
    await saved
    const shifts = await measureShifts(page)
    await page.goto('/dashboard/my-wishlist')
    await expect(alertOf(page, NAME)).toContainText('When it is back')
    expect((await shifts()).sum).toBe(0)

    await page.getByRole('button', { name: /^Tell me when it costs less/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Tell me when it costs less than …' })
    await expect(dialog).toContainText('Prices are compared in US dollars')
    expect(await axe(page)).toEqual([])
    await expect(dialog.getByLabel('Price in USD')).toHaveValue('170.99')
    await dialog.getByLabel('Price in USD').fill('99999')
    await dialog.getByRole('button', { name: 'Tell me' }).click()
    await expect(dialog.getByText('It already costs less than that')).toBeVisible()
    await dialog.getByLabel('Price in USD').fill('99.50')
    const { reached, release } = await holdBack(page, routeOf(addAlert))
    await dialog.getByRole('button', { name: 'Tell me' }).click()
    await reached
    // It is too late to close the form.
    await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await expect(dialog).toBeVisible()
    release()

    await expect(dialog).toHaveCount(0)
    await expect(alertOf(page, 'Elbe')).toContainText('Below $99.50; now $170.99')
    await expect(page.getByRole('button', { name: /^Tell me when it costs less than \$99\.50/ })).toBeVisible()
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
    const busy = { status: 503, json: { error: 'Please try again in a moment' } }
    await page.route(routeOf(removeAlert), route => route.fulfill(busy), { times: 1 })
    const end = alertOf(page, NAME).getByRole('button', { name: 'End alert' })
    await end.click()
    await expect(toastOf(page, 'Please try again in a moment')).toBeVisible()
    await expect(end).toBeFocused()
    for (const name of [NAME, 'Elbe']) await alertOf(page, name).getByRole('button', { name: 'End alert' }).click()
    await expect(alerts(page)).toHaveCount(0)
  })

  test('the wishlist’s button keeps the focus once it has set one', { tag: '@phone' }, async ({ page }) => {
    await signUp(page)
    await page.goto(SOLD_OUT)
    const saved = page.waitForResponse(routeOf(addToWishlist))
    await page.getByRole('button', { name: 'Add to wishlist' }).click()
    await saved
    await page.goto('/dashboard/my-wishlist')

    await page.getByRole('button', { name: /^Tell me when it is back/ }).press('Enter')

    await expect(alertOf(page, NAME)).toContainText('When it is back')
    await expect(page.getByRole('button', { name: /^We will tell you/ })).toBeFocused()
  })

  test('the link of a mail ends them without a login', { tag: '@phone' }, async ({ page, faults }) => {
    faults.expect(/^503 /).expect(/status of 503/)
    const tokens: unknown[] = []
    await page.route(routeOf(endAlerts), route => {
      tokens.push((route.request().postDataJSON() as { token: string }).token)
      return tokens.length === 1
        ? route.fulfill({ status: 503, json: { error: 'Please try again in a moment' } })
        : route.fulfill({ json: { message: 'All your alerts have ended' } })
    })
    await page.goto('/end-alerts?token=abc.1.xyz')
    await expect(page.getByRole('alert').filter({ hasText: 'Please try again in a moment' })).toBeVisible()
    await expect(page).toHaveURL(url => url.pathname === '/end-alerts' && url.search === '')

    await page.getByRole('button', { name: 'Try again' }).press('Enter')

    await expect(page.getByText(/^All your alerts have ended/)).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    expect(tokens).toEqual(['abc.1.xyz', 'abc.1.xyz'])
    expect(await axe(page)).toEqual([])
  })

  test('an incomplete link of a mail leads to the list of alerts', { tag: '@phone' }, async ({ page, faults }) => {
    faults.expect(/^404 /).expect(/status of 404/)
    for (const path of ['/end-alerts', '/end-alerts?token=broken']) {
      await page.goto(path)
      await expect(page.getByRole('alert').filter({ hasText: 'This link is incomplete' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      await expect(page.getByRole('main').getByRole('link')).toHaveText(['Log in to see your alerts'])
    }
    expect(await axe(page)).toEqual([])

    await page.getByRole('link', { name: 'Log in to see your alerts' }).click()

    await expect(page).toHaveURL(url => url.pathname === '/login' && url.searchParams.has('next'))
  })
})
