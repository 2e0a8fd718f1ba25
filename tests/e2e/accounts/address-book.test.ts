import type { Page } from 'playwright/test'
import { getAccount, makeDefaultAddress, updateAccount } from '#contract/account.ts'
import { saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, measureShifts, overflowing } from '#tests/support/browser/e2e.ts'
import { expectWrong, submit, toastOf } from '#tests/support/browser/forms.ts'
import { confirmAddress, fillCart, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const book = (page: Page) => page.getByRole('region', { name: 'Your addresses' })
const form = (page: Page, name: string) => book(page).getByRole('form', { name })

const HOME = {
  'Name of the address': 'Home',
  Name: 'Ada',
  Address: '12 Moi Avenue',
  City: 'Nairobi',
  'Postal code': '00100',
  Phone: '0712 345678',
}

async function add(page: Page, address: Record<string, string>): Promise<void> {
  await book(page).getByRole('button', { name: 'Add an address' }).click()
  const added = form(page, 'New address')
  await expect(added.getByLabel('Name of the address')).toBeFocused()
  await added.getByLabel('Country').selectOption('Kenya')
  for (const [label, value] of Object.entries(address)) await added.getByLabel(label, { exact: true }).fill(value)
  await added.getByRole('button', { name: 'Add address' }).dblclick()
}

test('a customer keeps several addresses, and one of them is the default', async ({ page, faults }) => {
  faults.expect(/^503 /).expect(/status of 503/)
  await signUp(page, 'Ada')
  const shifts = await measureShifts(page)
  await page.goto('/dashboard/account')
  await expect(book(page)).toBeVisible()
  expect(await shifts()).toEqual({ sum: 0, moved: [] })

  await add(page, HOME)
  await expect(book(page).getByRole('listitem')).toHaveText([/Home.*Default.*12 Moi Avenue, Nairobi 00100/s])
  // The form of the account shows the default address.
  const account = page.getByRole('form', { name: 'Update Account Information' })
  await expect(account.getByLabel('City')).toHaveValue('Nairobi')

  await book(page).getByRole('button', { name: 'Add an address' }).click()
  const added = form(page, 'New address')
  await submit(page, 'Add address').click()
  await expect(added.getByLabel('Shipping country')).toHaveAccessibleDescription('Shipping country is required')
  await added.getByRole('button', { name: 'Cancel' }).click()

  await add(page, { ...HOME, 'Name of the address': 'Office', City: 'Mombasa' })
  await expect(book(page).getByRole('listitem')).toHaveCount(2)
  expect(await axe(page)).toEqual([])
  expect(await overflowing(page)).toEqual([])

  await book(page).getByRole('button', { name: 'Change Office' }).click()
  const change = form(page, 'Change Office')
  await change.getByLabel('Name of the address').fill(' ')
  await submit(page, 'Save address').click()
  await expectWrong(page, 'Name of the address', 'Name of the address is required')
  await change.getByLabel('Name of the address').fill('Warehouse')
  await submit(page, 'Save address').click()
  await expect(book(page).getByRole('heading', { name: 'Warehouse' })).toBeVisible()

  const refused = { status: 503, json: { error: 'Please try again in a moment' } }
  await page.route(routeOf(makeDefaultAddress), route => route.fulfill(refused), { times: 1 })
  const makeDefault = book(page).getByRole('button', { name: 'Make default: Warehouse' })
  await makeDefault.click()
  await expect(toastOf(page, 'Please try again in a moment')).toBeVisible()
  await expect(makeDefault).toBeFocused()
  await makeDefault.click()
  await expect(book(page).getByRole('listitem').first()).toHaveText(/Warehouse.*Default/s)
  await expect(account.getByLabel('City')).toHaveValue('Mombasa')

  await book(page).getByRole('button', { name: 'Remove Home' }).click()
  await expect(book(page).getByRole('listitem')).toHaveCount(1)
})

test(
  'checkout asks again for a confirmed address that the account has replaced',
  { tag: '@phone' },
  async ({ page }) => {
    const customer = await signUpInKenya(page)
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/shipping')
    await confirmAddress(page)

    await page.goto('/dashboard/account')
    const account = page.getByRole('form', { name: 'Update Account Information' })
    await account.getByLabel('City').fill('Kisumu')
    await account.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Account updated successfully')).toBeVisible()
    await page.goto('/cart')
    await page.getByRole('button', { name: 'Proceed to checkout' }).first().click()

    await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Kisumu')
    await expect(page.getByRole('heading', { name: /^Deliver to/ })).toBeHidden()
  },
)

test(
  'a change that was not saved does not bring a replaced default address back',
  { tag: '@phone' },
  async ({ page }) => {
    await signUp(page, 'Ada')
    await page.goto('/dashboard/account')
    await add(page, HOME)
    await add(page, { ...HOME, 'Name of the address': 'Office', City: 'Mombasa' })
    await expect(book(page).getByRole('listitem')).toHaveCount(2)
    const account = page.getByRole('form', { name: 'Update Account Information' })
    await account.getByLabel('Country', { exact: true }).selectOption('Kenya')
    await account.getByLabel('Currency').selectOption('EUR')

    await book(page).getByRole('button', { name: 'Make default: Office' }).click()

    await expect(account.getByLabel('City')).toHaveValue('Mombasa')
    await page.reload()
    await expect(account.getByText('Your earlier changes are filled in but not saved yet.')).toBeVisible()
    await expect(account.getByLabel('Currency')).toHaveValue('EUR')
    await expect(account.getByLabel('City')).toHaveValue('Mombasa')
    const tab = await page.context().newPage()
    await tab.goto('/dashboard/account')
    await book(tab).getByRole('button', { name: 'Make default: Home' }).click()
    await expect(account.getByLabel('City')).toHaveValue('Nairobi')
    await account.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Account updated successfully')).toBeVisible()
    await expect(book(page).getByRole('listitem')).toHaveText([/Home.*Default.*Nairobi/s, /Office.*Mombasa/s])
  },
)

test(
  'an unsaved edit of the former default address does not overwrite the new one',
  { tag: '@phone' },
  async ({ page }) => {
    await signUp(page, 'Ada')
    await page.goto('/dashboard/account')
    await add(page, HOME)
    await add(page, { ...HOME, 'Name of the address': 'Office', Address: '7 Nyali Road', City: 'Mombasa' })
    await expect(book(page).getByRole('listitem')).toHaveCount(2)
    const account = page.getByRole('form', { name: 'Update Account Information' })
    await account.getByLabel('Country', { exact: true }).selectOption('Kenya')
    await account.getByLabel('City').fill('Kisumu')

    await book(page).getByRole('button', { name: 'Make default: Office' }).click()
    await expect(account.getByLabel('City')).toHaveValue('Mombasa')
    await account.getByRole('button', { name: 'Save changes' }).click()

    await expect(page.getByText('Account updated successfully')).toBeVisible()
    await expect(book(page).getByRole('listitem')).toHaveText([
      /Office.*Default.*7 Nyali Road, Mombasa/s,
      /Home.*12 Moi Avenue, Nairobi/s,
    ])
  },
)

test(
  'the account form keeps what was typed while the address was being saved',
  { tag: '@desktop' },
  async ({ page }) => {
    await saveAccount(page, await signUp(page, 'Ada'))
    await page.goto('/dashboard/account')
    const account = page.getByRole('form', { name: 'Update Account Information' })
    await account.getByLabel('City').fill('Kisumu')
    const { reached, release } = await holdBack(page, `**/api${updateAccount.path}`)
    await account.getByRole('button', { name: 'Save changes' }).click()
    await reached
    await account.getByLabel('Address').fill('7 Lake Road')
    release()
    await expect(page.getByText('Account updated successfully')).toBeVisible()
    await expect(book(page).getByRole('listitem')).toHaveText([/Kisumu/])

    await expect(account.getByLabel('Address')).toHaveValue('7 Lake Road')
    await expect(account.getByLabel('City')).toHaveValue('Kisumu')
  },
)

test(
  'the account form shows what was saved although the account cannot be loaded after it',
  { tag: '@desktop' },
  async ({ page, faults }) => {
    faults.expect(/^503 /).expect(/status of 503/)
    await saveAccount(page, await signUp(page, 'Ada'))
    await page.goto('/dashboard/account')
    const account = page.getByRole('form', { name: 'Update Account Information' })
    await account.getByLabel('City').fill('Kisumu')
    await page.route(routeOf(getAccount), route => route.fulfill({ status: 503, json: { error: 'Away' } }))

    await account.getByRole('button', { name: 'Save changes' }).click()

    await expect(toastOf(page, 'Account updated successfully')).toBeVisible()
    await expect(toastOf(page, 'Failed to fetch user details')).toBeVisible()
    await expect(account.getByRole('button', { name: 'Save changes' })).toHaveAttribute('aria-busy', 'false')
    await expect(account.getByLabel('City')).toHaveValue('Kisumu')
  },
)
