import type { Page } from 'playwright/test'
import { getAccount, updateAccount } from '#contract/account.ts'
import { getProfile } from '#contract/profile.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import {
  axe,
  expect,
  expectAccessible,
  measureShifts,
  NARROWEST,
  overflowing,
  test,
} from '#tests/support/browser/e2e.ts'
import { settled } from '#tests/support/browser/settled.ts'

const MESSAGES = [
  ['Country', 'Country is required'],
  ['Name', 'Name is required'],
  ['Phone', 'Phone is required'],
  ['Address', 'Address is required'],
  ['Area', 'Area is required'],
  ['City', 'City is required'],
  ['Province', 'Province is required'],
  ['Postal code', 'Postal code is required'],
  ['Shipping country', 'Shipping country is required'],
] as const

const form = (page: Page) => page.getByRole('form', { name: 'Update Account Information' })
const field = (page: Page, label: string) => form(page).getByLabel(label, { exact: true })
const save = (page: Page) => form(page).getByRole('button', { name: 'Save changes' })

test.describe('the account form', () => {
  test('loads without layout shift, and shows an error at every missing field', { tag: '@phone' }, async ({ page }) => {
    await signUp(page)
    const { reached, release } = await holdBack(page, `**/api${getAccount.path}`)
    const shifts = await measureShifts(page)
    await page.goto('/dashboard/account')
    await expect(page.getByText('Loading your details')).toBeAttached()
    await reached
    release()
    await expect(field(page, 'Currency')).toHaveValue('USD')
    expect(await shifts()).toEqual({ sum: 0, moved: [] })

    await field(page, 'Currency').selectOption('')
    await field(page, 'City').fill('   ')
    await save(page).click()

    await expect(page.getByText('Please fix the errors before submitting')).toBeVisible()
    for (const [label, message] of [...MESSAGES, ['Currency', 'Currency is required'] as const]) {
      await expect(field(page, label), label).toHaveAccessibleDescription(message)
      await expect(field(page, label), label).toHaveAttribute('aria-invalid', 'true')
    }
    await expect(field(page, 'Country')).toBeFocused()
    await expectAccessible(page)
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
    await field(page, 'Country').selectOption('Kenya')
    await field(page, 'City').fill('N')
    for (const label of ['Country', 'City']) {
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid')
      await expect(field(page, label)).toHaveAccessibleDescription('')
    }
    await expect(field(page, 'Area')).toHaveAccessibleDescription('Area is required')
  })

  test('of an unconfirmed customer moves nothing when the account is slow', async ({ page }) => {
    await signUp(page, 'Ada Lovelace', { isConfirmed: false })
    // High enough for what lies below the form.
    await page.setViewportSize({ width: page.viewportSize()!.width, height: 2200 })
    const { reached, release } = await holdBack(page, `**/api${getAccount.path}`)
    const shifts = await measureShifts(page)
    const others = page.waitForResponse(routeOf(getProfile))
    await page.goto('/dashboard/account')
    await reached
    await others

    release()

    await expect(page.getByRole('region', { name: 'Please confirm your email address' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Your devices' }).getByText('This device')).toBeVisible()
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
  })

  test('leaves the end of the page in its place when the settings below it are slow', async ({ page }) => {
    // Whose email address is long.
    await signUp(page)
    const { reached, release } = await holdBack(page, routeOf(getProfile))
    const shifts = await measureShifts(page)
    await page.goto('/dashboard/account')
    await reached
    await expect(field(page, 'Currency')).toHaveValue('USD')
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()

    release()

    await expect(page.getByRole('region', { name: 'Your devices' }).getByText('This device')).toBeVisible()
    await settled(page)
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
  })

  test('is as tall while loading as when loaded, so that nothing below it moves', async ({ page }) => {
    await signUp(page)
    const { reached, release } = await holdBack(page, `**/api${getAccount.path}`)
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    await page.goto('/dashboard/account')
    await reached
    await expect(page.getByText('Loading your details')).toBeAttached()
    const whileLoading = await height()

    release()

    await expect(page.getByRole('region', { name: 'Your devices' }).getByText('This device')).toBeVisible()
    await settled(page)
    expect(await height()).toBe(whileLoading)
  })

  test('does not bring back a currency that another tab has replaced', { tag: '@desktop' }, async ({ page }) => {
    await saveAccount(page, await signUp(page))
    await page.goto('/dashboard/account')
    await field(page, 'City').fill('Mombasa')
    const tab = await page.context().newPage()
    await tab.goto('/dashboard/account')
    await field(tab, 'Currency').selectOption('GBP')
    await save(tab).click()

    await expect(field(page, 'Currency')).toHaveValue('GBP')
    await expect(field(page, 'City')).toHaveValue('Mombasa')
    await save(page).click()

    await expect(field(tab, 'City')).toHaveValue('Mombasa')
    await expect(field(tab, 'Currency')).toHaveValue('GBP')
  })

  test(
    'works by keyboard, is sent once and shows the saved values',
    { tag: ['@desktop', '@long'] },
    async ({ page, faults }) => {
      faults.expect(/^503 /).expect(/status of 503/)
      await signUp(page)
      await page.route(`**/api${getAccount.path}`, route => route.fulfill({ status: 503, json: { error: 'Away' } }))
      await page.goto('/dashboard/account')
      await expect(page.getByRole('listitem').filter({ hasText: 'Failed to fetch user details' })).toBeVisible()
      await settled(page)
      expect(await axe(page)).toEqual([])
      await page.unroute(`**/api${getAccount.path}`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(field(page, 'Currency')).toHaveValue('USD')

      const sent: unknown[] = []
      const { reached, release } = await holdBack(page, `**/api${updateAccount.path}`, request =>
        sent.push(request.postDataJSON()),
      )
      await field(page, 'Country').focus()
      for (const text of ['Kenya', 'EUR', 'Kenya', 'Ada Lovelace', '12 Analytical Lane', ' Nairobi ']) {
        await page.keyboard.type(text)
        await page.keyboard.press('Tab')
      }
      for (const text of ['00100', '0700000000']) {
        await page.keyboard.type(text)
        await page.keyboard.press('Tab')
      }
      await expect(save(page)).toBeFocused()
      // Its formatting is loaded only once it is needed.
      await expect(field(page, 'Phone')).toHaveValue('+254 700 000000')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await reached

      await expect(save(page)).toHaveAttribute('aria-busy', 'true')
      release()
      await expect(page.getByText('Account updated successfully')).toBeVisible()
      await expect(save(page)).toHaveAttribute('aria-busy', 'false')
      // A customer who double-clicks does the same.
      await page.keyboard.press('Enter')
      await expect(field(page, 'Phone')).toHaveValue('+254 700 000000')
      await expect(field(page, 'Province')).toBeHidden()
      await page.goto('/dashboard/chage-password')
      await expect(form(page).getByRole('heading', { name: 'Update Account Information' })).toBeVisible()
      await expect(field(page, 'Country')).toHaveValue('Kenya')
      await expect(field(page, 'Currency')).toHaveValue('EUR')
      await expect(field(page, 'Postal code')).toHaveValue('00100')
      await expect(field(page, 'Shipping country')).toHaveValue('Kenya')
      expect(sent).toEqual([ACCOUNT])
    },
  )

  test('is saved once while the phone number is still to be formatted', { tag: '@desktop' }, async ({ page }) => {
    const customer = await signUp(page)
    await saveAccount(page, customer)
    const { reached, release } = await holdBack(page, /_astro\/phone\./)
    const phones: unknown[] = []
    page.on('request', request => {
      if (request.url().endsWith(`/api${updateAccount.path}`))
        phones.push((request.postDataJSON() as typeof ACCOUNT).shippingDetails.phone)
    })
    await page.goto('/dashboard/account')
    await field(page, 'Phone').fill('0711 111111')
    await save(page).click()
    await expect(page.getByText('Account updated successfully')).toBeVisible()
    await reached

    const formatted = page.waitForResponse(/_astro\/phone\./)
    release()
    await (await formatted).finished()
    await settled(page)
    await save(page).click()

    await expect(field(page, 'Phone')).toHaveValue('0711 111111')
    expect(phones).toEqual(['0711 111111'])
    // From now on, the number is formatted before it is saved.
    await field(page, 'Phone').fill('0722 222222')
    await field(page, 'Name').focus()
    await expect(field(page, 'Phone')).toHaveValue('+254 722 222222')
    await save(page).click()
    await expect.poll(() => phones).toEqual(['0711 111111', '+254 722 222222'])
  })

  test(
    'stays as it is when the customer comes back from another app, online or not',
    { tag: '@phone' },
    async ({ page, faults }) => {
      faults.expect(/^503 /).expect(/status of 503/)
      const customer = await signUp(page)
      await saveAccount(page, customer)
      await page.goto('/dashboard/account')
      await field(page, 'City').fill('')
      await save(page).click()
      await expect(field(page, 'City')).toHaveAccessibleDescription('City is required')
      await field(page, 'Address').fill('7 Lavington Green')
      const comeBack = async () => {
        const loaded = page.waitForResponse(routeOf(getAccount))
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
        await (await loaded).finished()
        await settled(page)
      }

      await comeBack()
      await page.route(routeOf(getAccount), route => route.fulfill({ status: 503, json: { error: 'Away' } }))
      await comeBack()

      await expect(field(page, 'Address')).toBeFocused()
      await expect(field(page, 'Address')).toHaveValue('7 Lavington Green')
      await expect(field(page, 'City')).toHaveAccessibleDescription('City is required')
      await expect(form(page).getByText('Your earlier changes are filled in but not saved yet.')).toBeHidden()
    },
  )

  test('keeps the typed values when saving fails', { tag: '@desktop' }, async ({ page, faults }) => {
    const customer = await signUp(page)
    await saveAccount(page, customer)
    await page.goto('/dashboard/account')
    await field(page, 'City').fill('Mombasa')
    const refusal = { error: 'City is closed', fields: { 'shippingDetails.city': 'City is closed' } }
    const answers = [
      { said: 'City is closed', reply: { status: 422, json: refusal } },
      { said: 'Something went wrong', reply: { status: 500, body: '' } },
    ]
    faults
      .expect(/^422 /)
      .expect(/status of 422/)
      .expect(/^500 /)
      .expect(/status of 500/)

    for (const { said, reply } of answers) {
      await page.route(`**/api${updateAccount.path}`, route => route.fulfill(reply), { times: 1 })
      await save(page).click()

      await expect(page.getByRole('listitem').filter({ hasText: said })).toBeVisible()
      await expect(field(page, 'City')).toHaveValue('Mombasa')
      if (reply.status === 422) await expect(field(page, 'City')).toHaveAccessibleDescription('City is closed')
    }
    await save(page).click()

    await expect(page.getByText('Account updated successfully')).toBeVisible()
    await page.reload()
    await expect(field(page, 'City')).toHaveValue('Mombasa')
  })
})
