import { requestReturn } from '#contract/returns.ts'
import { orderPath } from '#contract/page-urls.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { openPaidOrder, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test(
  'a request keeps its reason and words when the session ends at its button',
  { tag: '@desktop' },
  async ({ page, faults }) => {
    faults.expect(/^409 /).expect(/status of 409/)
    const customer = await signUpInKenya(page)
    const orderId = await openPaidOrder(page, customer)
    const open = page.getByRole('button', { name: 'Cancel products of Toy Town' })
    const form = page.getByRole('dialog')
    await open.click()
    await form.getByRole('combobox', { name: 'Reason' }).selectOption('It would arrive too late')
    await form.getByRole('textbox').fill('The party is on Friday.')
    // As the provider does once the session has ended.
    let hasEnded = false
    await page.route(routeOf(requestReturn), async route => {
      if (hasEnded || route.request().method() !== 'POST') return route.fallback()
      hasEnded = true
      await route.fulfill({ status: 409, json: { error: 'Please login first', code: 'INVALID_TOKEN' } })
    })
    await form.getByRole('button', { name: 'Cancel these' }).click()
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(orderPath(orderId))}`)
    await fill(page, { Email: customer.email, Password: customer.password })
    await submit(page, 'Log in').click()
    await expect(page).toHaveURL(orderPath(orderId))

    await open.click()
    await expect(form.getByRole('combobox', { name: 'Reason' })).toHaveValue('too_late')
    await expect(form.getByRole('textbox')).toHaveValue('The party is on Friday.')
    const { reached, release } = await holdBack(page, routeOf(requestReturn))
    await form.getByRole('button', { name: 'Cancel these' }).click()
    await reached
    // It is too late to close the form.
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Close' }).click({ force: true })
    await expect(form).toBeVisible()
    release()
    await expect(form).toBeHidden()
    await page.reload()
    await expect(page.getByRole('region', { name: 'Cancel or return' })).toContainText('It would arrive too late')
    expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).not.toContain('Friday')
  },
)
