import { axe, expect, test } from '#tests/support/browser/e2e.ts'
import { signUp } from '#tests/support/catalogue/customer.ts'

const PRODUCT = '/product/details/bellweather-stage-microphone'

test('a question about a product shows it as a card, which can be dropped', { tag: '@phone' }, async ({ page }) => {
  await signUp(page)
  await page.goto(PRODUCT)
  const name = await page.getByRole('heading', { level: 1 }).innerText()
  await page.getByRole('link', { name: 'Chat seller' }).click()
  const form = page.getByRole('form', { name: 'Write a message' })
  const card = { name: `About ${name}` }
  await expect(form.getByRole('link', card)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText(/Offline\s*Usually replies within a/)
  expect(await axe(page)).toEqual([])
  await expect(form.getByRole('button', { name: 'Send' })).toBeDisabled()

  await form.getByRole('textbox', { name: 'Message' }).fill('Does it come with a cable?')
  await form.getByRole('button', { name: 'Send' }).click()

  await expect(form.getByRole('link', card)).toHaveCount(0)
  const sent = page.getByRole('region', { name: 'Chat history' }).getByRole('listitem').filter({ hasText: 'cable?' })
  await expect(sent.getByRole('link', card)).toHaveAttribute('href', PRODUCT)
  await expect(sent).not.toContainText('http')
  await page.reload()
  await expect(sent.getByRole('link', card)).toBeVisible()
  await expect(form.getByRole('link', card)).toHaveCount(0)

  await page.goBack()
  await page.getByRole('link', { name: 'Chat seller' }).click()
  await form.getByRole('button', { name: `Do not ask about ${name}` }).click()
  await expect(form.getByRole('link', card)).toHaveCount(0)
  await expect(form.getByRole('button', { name: 'Send' })).toBeDisabled()
})
