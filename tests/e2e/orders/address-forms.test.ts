import type { Locator, Page } from 'playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { autocompletes, field, fill, submit } from '#tests/support/browser/forms.ts'
import { applyButton } from '#tests/support/browser/listing.ts'
import { fillBook, fillCart, orderKite, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const TOKENS = {
  name: 'shipping name',
  address: 'shipping street-address',
  area: 'shipping address-level3',
  city: 'shipping address-level2',
  province: 'shipping address-level1',
  post: 'shipping postal-code',
  phone: 'shipping tel',
}

/** What browsers call the lines of these countries' addresses, in their order. */
const LINES = {
  Germany: ['street-address', 'postal-code', 'address-level2'],
  'United States': ['street-address', 'address-level2', 'address-level1', 'postal-code'],
  Kenya: ['street-address', 'address-level2', 'postal-code'],
  Japan: ['postal-code', 'address-level1', 'street-address'],
  'United Kingdom': ['street-address', 'address-level2', 'postal-code'],
  Brazil: ['street-address', 'address-level3', 'address-level2', 'address-level1', 'postal-code'],
}

const tokensOf = (form: Locator) =>
  form
    .locator('input[autocomplete^="shipping "], select[autocomplete^="shipping "]')
    .evaluateAll(all => all.map(each => each.getAttribute('autocomplete')?.replace('shipping ', '')))

/** Fills in a form as browsers do: all values at once, without a focus. */
const autofill = (form: Locator, values: Record<string, string>) =>
  form.evaluate((element: HTMLFormElement, filled) => {
    for (const [token, value] of Object.entries(filled)) {
      const input = element.querySelector<HTMLInputElement>(`[autocomplete="shipping ${token}"]`)!
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
      set!.call(input, value)
      input.dispatchEvent(new Event('input', { bubbles: true }))
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }, values)

async function openForm(page: Page) {
  const customer = await signUp(page)
  await fillCart(page, customer, { kite: 1 })
  await page.goto('/shipping')
  await expect(field(page, 'Country')).toBeVisible()
}

test('the hint below a field of the address form lies above the bar', { tag: '@phone' }, async ({ page }) => {
  await openForm(page)
  await field(page, 'Country').selectOption('Kenya')
  await submit(page, 'Continue').click()
  const bar = page.locator('[data-bottom-bar]').filter({ hasText: 'Please fill in' })
  await field(page, 'Phone').fill('0700 000000')

  await field(page, 'Phone').evaluate(input => input.scrollIntoView({ block: 'end' }))

  const hint = (await page.getByText('For questions about the delivery').boundingBox())!
  expect(hint.y + hint.height).toBeLessThanOrEqual((await bar.boundingBox())!.y)
})

test.describe('the address form', { tag: '@desktop' }, () => {
  test('lets the browser fill in every field, and offers no default address where there is none', async ({ page }) => {
    await openForm(page)

    expect(await autocompletes(page)).toEqual(TOKENS)
    await expect(field(page, 'Country')).toHaveAttribute('autocomplete', 'shipping country-name')
    await expect(page.getByRole('checkbox', { name: 'Use my default shipping address' })).toBeHidden()
  })

  test(
    'is filled in by the browser in every country’s format, in the checkout and the account',
    { tag: '@long' },
    async ({ page }) => {
      await openForm(page)
      const checkout = page.getByRole('form', { name: 'Shipping details' })
      const account = page.getByRole('form', { name: 'Update Account Information' })

      for (const [path, form, country] of [
        ['/shipping', checkout, 'Country'],
        ['/dashboard/account', account, 'Shipping country'],
      ] as const) {
        await page.goto(path)
        for (const [name, lines] of Object.entries(LINES)) {
          await form.getByLabel(country, { exact: true }).selectOption(name)
          await expect.poll(() => tokensOf(form), `${path}, ${name}`).toEqual(['country-name', 'name', ...lines, 'tel'])
        }
      }

      await page.goto('/shipping')
      await field(page, 'Country').selectOption('Kenya')
      await expect(field(page, 'Area')).toBeHidden()
      const own = { name: 'Ada', 'street-address': '12 Analytical Lane', 'address-level2': 'Nairobi' }
      await autofill(checkout, { ...own, 'postal-code': '00100', tel: '+254 700 000000' })
      await submit(page, 'Continue').click()
      await expect(page.getByRole('region', { name: 'Deliver to Ada' })).toContainText('Nairobi 00100')
    },
  )

  test('asks for what the country’s addresses have, in its words, and leaves the rest out everywhere', async ({
    page,
  }) => {
    await openForm(page)
    await field(page, 'Country').selectOption('United States')
    await expect(field(page, 'State')).toBeVisible()
    await expect(field(page, 'ZIP code')).toBeVisible()
    await expect(field(page, 'Area')).toBeHidden()

    await field(page, 'Country').selectOption('Kenya')
    await expect(field(page, 'State')).toBeHidden()
    await fill(page, { Name: 'Ada', Address: '12 Analytical Lane', City: 'Nairobi', 'Postal code': '00100' })
    await field(page, 'Phone').fill('0700000000')
    await field(page, 'Name').focus()
    await expect(field(page, 'Phone')).toHaveValue('+254 700 000000')
    await submit(page, 'Continue').click()
    await expect(page.getByRole('region', { name: 'Deliver to Ada' })).toHaveText(
      'Deliver to Ada12 Analytical LaneNairobi 00100Kenya+254 700 000000change',
    )
    const sent: { shippingInfo: unknown }[] = []
    const placing = await holdBack(page, routeOf(placeOrder), request =>
      sent.push(request.postDataJSON() as { shippingInfo: unknown }),
    )
    await submit(page, 'Place Order').click()
    await placing.reached
    placing.release()

    const [{ shippingInfo } = { shippingInfo: null }] = sent
    expect(shippingInfo).toMatchObject({ province: '-', area: '-', city: 'Nairobi', phone: '+254 700 000000' })
    await expect(page.getByRole('region', { name: 'Deliver to Ada' })).toContainText(
      '12 Analytical Lane, Nairobi 00100, Kenya, +254 700 000000',
    )
  })

  test('hints at a doubtful phone number, moves nothing, and accepts it', async ({ page }) => {
    await openForm(page)
    await field(page, 'Country').selectOption('Kenya')
    await fill(page, { Name: 'Ada', Address: '12 Analytical Lane', City: 'Nairobi', 'Postal code': '00100' })
    await expect(field(page, 'Area')).toBeHidden()
    const before = await submit(page, 'Continue').boundingBox()

    await field(page, 'Phone').fill('12')
    await field(page, 'Name').focus()

    await expect(field(page, 'Phone')).toHaveAccessibleDescription(/Please check it/)
    await expect(field(page, 'Phone')).toHaveValue('12')
    expect(await submit(page, 'Continue').boundingBox()).toEqual(before)
    await submit(page, 'Continue').click()
    await expect(page.getByRole('region', { name: 'Deliver to Ada' })).toContainText('12')
  })

  test('checks the phone number of a customer who continues right after typing it', async ({ page }) => {
    await openForm(page)
    await field(page, 'Country').selectOption('Kenya')
    await fill(page, { Name: 'Ada', Address: '12 Analytical Lane', City: 'Nairobi', 'Postal code': '00100' })
    const address = page.getByRole('region', { name: 'Deliver to Ada' })

    await field(page, 'Phone').fill('0700000000')
    await field(page, 'Phone').press('Enter')

    await expect(address).toContainText('+254 700 000000')
    await expect(address.getByRole('status')).toBeEmpty()
    await address.getByRole('button', { name: 'change' }).click()
    await expect(field(page, 'Phone')).toHaveValue('+254 700 000000')
    await field(page, 'Phone').fill('12')
    await field(page, 'Phone').press('Enter')
    await expect(address.getByRole('status')).toHaveText('Please check the phone number: it does not look like one')
    await expect(submit(page, 'Place Order')).toBeEnabled()
  })

  test('offers the addresses of the book, the default one first', async ({ page }) => {
    const customer = await signUp(page)
    await fillCart(page, customer, { kite: 1 })
    await fillBook(page, customer, { Home: 'Nairobi', Office: 'Mombasa' })
    await page.goto('/shipping')
    await expect(field(page, 'City')).toHaveValue('Nairobi')
    const isDefault = page.getByRole('checkbox', { name: 'Use my default shipping address' })
    await expect(isDefault).toBeChecked()

    const choice = page.getByLabel('Your addresses')
    await expect(choice).not.toHaveAttribute('aria-required')
    await expect(field(page, 'Country')).toHaveAttribute('aria-required', 'true')
    await expect(choice.locator('option:checked')).toContainText('Nairobi')

    await choice.selectOption({ index: 2 })

    await expect(field(page, 'City')).toHaveValue('Mombasa')
    await expect(isDefault).not.toBeChecked()
    await expect(choice.locator('option:checked')).toContainText('Mombasa')
    await submit(page, 'Continue').click()
    await expect(page.getByRole('region', { name: /^Deliver to/ })).toContainText('Mombasa')
  })

  test('no longer counts as the default address once its country is changed', async ({ page }) => {
    await fillCart(page, await signUpInKenya(page), { kite: 1 })
    await page.goto('/shipping')
    const isDefault = page.getByRole('checkbox', { name: 'Use my default shipping address' })
    await expect(isDefault).toBeChecked()

    await field(page, 'Country').selectOption('Germany')

    await expect(isDefault).not.toBeChecked()
    await isDefault.check()
    await expect(field(page, 'Country')).toHaveValue('Kenya')
  })

  test('begins with the address of the last order if none is saved', async ({ page }) => {
    const customer = await signUp(page)
    await orderKite(page, customer)
    await page.goto('/shipping?buy=ball')

    await expect(field(page, 'City')).toHaveValue('Nairobi')
    await expect(field(page, 'Country')).toHaveValue('Kenya')
    await submit(page, 'Continue').click()
    await expect(page.getByRole('region', { name: 'Deliver to Ada Lovelace' })).toContainText('12 Analytical Lane')
  })

  test('follows the default address that is chosen in another tab, until it is edited', async ({ page, context }) => {
    const customer = await signUp(page)
    await fillCart(page, customer, { kite: 1 })
    await fillBook(page, customer, { Home: 'Nairobi', Office: 'Mombasa' })
    await page.goto('/shipping')
    await expect(field(page, 'City')).toHaveValue('Nairobi')
    const other = await context.newPage()
    await other.goto('/dashboard/account')
    const setDefault = other.getByRole('button', { name: /^Make default/ }).first()

    await setDefault.click()
    await expect(field(page, 'City')).toHaveValue('Mombasa')
    await field(page, 'City').fill('Mombasa Town')
    await setDefault.click()

    await expect(other.getByText('This is your default address now').last()).toBeVisible()
    await expect(field(page, 'City')).toHaveValue('Mombasa Town')
  })

  test('begins with the country for which the cart showed shipping', async ({ page }) => {
    const customer = await signUp(page)
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/cart')
    await page.getByRole('combobox', { name: 'Ship to' }).selectOption('Germany')
    await page.goto('/shipping')

    await expect(field(page, 'Country')).toHaveValue('Germany')
  })

  test('follows the country by which the customer filters products in another tab', async ({ page, context }) => {
    await fillCart(page, await signUp(page), { kite: 1 })
    await page.goto('/shipping')
    await expect(field(page, 'Country')).toBeEnabled()
    const other = await context.newPage()
    await other.goto('/products')

    await other.getByRole('combobox', { name: 'Ships to' }).selectOption('Kenya')
    // The code that counts the products also remembers the country.
    await expect(applyButton(other)).toHaveText(/^Show \d/)
    await applyButton(other).click()

    await expect(field(page, 'Country')).toHaveValue('Kenya')
  })
})
