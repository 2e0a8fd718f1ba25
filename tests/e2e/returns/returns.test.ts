import { orderPath } from '#contract/page-urls.ts'
import { axe, expect, overflowing } from '#tests/support/browser/e2e.ts'
import { orderKite, payWith, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { market } from '#tests/support/provider/market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const CARD = '4242 4242 4242 4242'

test('a delivered kite is returned, and the customer sees the money back', async ({ page, shop }) => {
  const customer = await signUpInKenya(page)
  const orderId = await orderKite(page, customer)
  await page.goto(`/payment?order=${orderId}`)
  await payWith(page, CARD)
  await expect(page.getByText('Your order is paid')).toBeVisible()
  await market(shop, 'order', 'ship', orderId)
  await market(shop, 'order', 'deliver', orderId)

  await page.goto(orderPath(orderId))
  const panel = page.getByRole('region', { name: 'Cancel or return' })
  await panel.getByRole('button', { name: /^Return products of/ }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Ask for the return' }).click()
  await expect(form.getByText('Choose at least one product')).toBeVisible()
  await form.getByRole('combobox', { name: /kite/i }).selectOption('1')
  await form.getByRole('combobox', { name: 'Reason' }).selectOption('It arrived damaged')
  await form.getByRole('textbox').fill('The string is torn.')
  expect(await axe(page)).toEqual([])
  await form.getByRole('button', { name: 'Ask for the return' }).click()
  await expect(panel.getByText('Asked the shop')).toBeVisible()

  const listed = await market(shop, 'return', 'list')
  const id = listed
    .split('\n')
    .find(line => line.includes(orderId))!
    .split(' ')[0]!
  await market(shop, 'return', 'approve', id)
  await page.reload()
  await panel.getByRole('textbox', { name: /Tracking number/ }).fill('DHL 42')
  await panel.getByRole('button', { name: 'I have sent it back' }).click()
  await expect(panel.getByText('Tracking number DHL 42')).toBeVisible()

  await market(shop, 'return', 'received', id)
  await expect(async () => {
    await page.reload()
    await expect(panel.getByText('Refunded', { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(page.getByText('refunded so far')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axe(page, { onlyColours: true })).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowing(page)).toEqual([])
})
