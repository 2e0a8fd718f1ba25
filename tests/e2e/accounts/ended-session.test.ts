import type { Page } from 'playwright/test'
import { addAddress } from '#contract/account.ts'
import { addToCart } from '#contract/cart.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { saveAccount, type SignedUp, signUp } from '#tests/support/accounts/customer.ts'
import { fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'

/** The next request to `path` fails as it does after the session ended; the rest of the page does not notice. */
const end = (page: Page, path: string) =>
  page.route(
    path,
    route => route.fulfill({ status: 409, json: { error: 'Please login first', code: 'INVALID_TOKEN' } }),
    { times: 1 },
  )

async function signIn(page: Page, { email, password }: SignedUp) {
  await fill(page, { Email: email, Password: password })
  await submit(page, 'Log in').click()
}

test.describe('an ended session', { tag: '@desktop' }, () => {
  test.beforeEach(({ faults }) => void faults.expect(/^409 /).expect(/status of 409/))

  test('carries out the clicked action after the login', async ({ page }) => {
    const customer = await signUp(page)
    await page.goto(PRODUCT)
    await end(page, routeOf(addToCart))

    await page.getByRole('form', { name: /^Buy/ }).getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(PRODUCT)}`)
    await expect(toastOf(page, 'Please login first')).toBeVisible()
    await signIn(page, customer)
    await expect(page).toHaveURL(PRODUCT)
    await expect(page.locator('[data-count="cart"]')).toHaveText('1')
    // The badge counts before the provider has answered.
    await expect(toastOf(page, 'Added to cart')).toBeVisible()

    await page.goto('/cart')
    const quantity = page.getByRole('status', { name: /^Quantity of/ })
    await expect(quantity).toHaveText('1')
    await end(page, '**/quantity-inc/*')
    await page.getByRole('button', { name: /^Increase quantity/ }).click()
    await expect(page).toHaveURL('/login?next=%2Fcart')
    await signIn(page, customer)
    await expect(quantity).toHaveText('2')
  })

  test('keeps what was typed through the login', { tag: '@long' }, async ({ page }) => {
    const customer = await signUp(page)
    await saveAccount(page, customer)
    await page.goto(`${PRODUCT}#reviews`)
    const review = page.getByRole('form', { name: 'Your review' })
    await review
      .locator('label')
      .filter({ has: page.getByLabel('4 stars') })
      .click()
    await review.getByLabel('Your review').fill('Warm sound, firm fit.')
    await end(page, '**/submit-review')

    await review.getByRole('button', { name: 'Submit review' }).click()
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(`${PRODUCT}#reviews`)}`)
    await signIn(page, customer)
    await expect(review.getByLabel('Your review')).toHaveValue('Warm sound, firm fit.')
    await expect(review.getByLabel('4 stars')).toBeChecked()

    await page.goto('/dashboard/account')
    const city = page.getByLabel('City', { exact: true })
    await city.fill('Mombasa')
    await end(page, '**/update-info')
    await submit(page, 'Save changes').click()
    await expect(page).toHaveURL('/login?next=%2Fdashboard%2Faccount')
    await signIn(page, customer)
    await expect(city).toHaveValue('Mombasa')
    await page.getByRole('button', { name: 'Discard them' }).click()
    await expect(city).toHaveValue('Nairobi')
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('keeps an address that was typed into the address book', async ({ page }) => {
    const customer = await signUp(page)
    await saveAccount(page, customer)
    await page.goto('/dashboard/account')
    const book = page.getByRole('region', { name: 'Your addresses' })
    await book.getByRole('button', { name: 'Add an address' }).click()
    const added = book.getByRole('form', { name: 'New address' })
    await added.getByLabel('Name of the address').fill('Office')
    await added.getByLabel('Country').selectOption('Kenya')
    for (const label of ['Name', 'Address', 'City', 'Postal code', 'Phone'])
      await added.getByLabel(label, { exact: true }).fill(label === 'Phone' ? '0712 345678' : `My ${label}`)
    await end(page, routeOf(addAddress))

    await added.getByRole('button', { name: 'Add address' }).click()
    await expect(page).toHaveURL('/login?next=%2Fdashboard%2Faccount')
    await signIn(page, customer)

    await expect(added.getByLabel('Name of the address')).toHaveValue('Office')
    await expect(added.getByLabel('City')).toHaveValue('My City')
    await added.getByRole('button', { name: 'Add address' }).click()
    await expect(book.getByRole('listitem').filter({ hasText: 'Office' })).toContainText('My City')
    await book.getByRole('button', { name: 'Add an address' }).click()
    await expect(added.getByLabel('Name of the address')).toHaveValue('')
    await added.getByLabel('Name of the address').fill('Farm')
    await added.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await expect(book.getByRole('button', { name: 'Add an address' })).toBeVisible()
  })
})

test('what is typed into a chat while the login page loads is there after the login', async ({ page }) => {
  const customer = await signUp(page)
  await page.goto(PRODUCT)
  await page.getByRole('link', { name: 'Chat seller' }).click()
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('Is it')
  const { reached, release } = await holdBack(page, '**/login?*')
  const tab = await page.context().newPage()
  // Not a page, which would ask for the customer's notifications.
  await tab.goto('/favicon.svg')
  await tab.evaluate(key => localStorage.removeItem(key), CUSTOMER_TOKEN)
  await reached

  // By the keyboard alone: locators wait for the login page.
  await page.keyboard.press('End')
  await page.keyboard.type(' blue?')
  await page.keyboard.press('Enter')
  release()
  await signIn(page, customer)

  await expect(message).toHaveValue('Is it blue?')
})
