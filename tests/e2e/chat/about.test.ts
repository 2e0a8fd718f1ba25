import { getProduct } from '#contract/catalogue.ts'
import { faultOf, holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, test } from '#tests/support/browser/e2e.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { toastOf } from '#tests/support/browser/forms.ts'

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

test(
  'a question with a product and a refused file stays whole, and is sent as one',
  { tag: '@phone' },
  async ({ page, faults }) => {
    faults.expect(/^422 /).expect(/status of 422/)
    await signUp(page)
    await page.goto(PRODUCT)
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    await page.getByRole('link', { name: 'Chat seller' }).click()
    const form = page.getByRole('form', { name: 'Write a message' })
    const card = form.getByRole('link', { name: `About ${name}` })
    const question = form.getByRole('textbox', { name: 'Message' })
    const files = form.getByRole('list', { name: 'Chosen files' })
    const own = page.getByRole('region', { name: 'Chat history' }).getByRole('listitem').filter({ hasText: /^You/ })
    await expect(card).toBeVisible()
    const text = Buffer.from('A cable')
    await form.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'note.txt', mimeType: 'text/plain', buffer: text },
      { name: 'fake.pdf', mimeType: 'application/pdf', buffer: text },
    ])
    await question.fill('Is this the right cable?')

    await form.getByRole('button', { name: 'Send' }).click()

    await expect(toastOf(page, 'Error uploading files')).toContainText(
      'fake.pdf: the content is not that of a .pdf file',
    )
    await expect(card).toBeVisible()
    await expect(question).toHaveValue('Is this the right cable?')
    await expect(files.getByRole('listitem')).toHaveCount(2)
    await expect(own).toHaveCount(0)
    await expect(files.getByRole('listitem')).toHaveText(['note.txt7 bytes', /^fake.pdfthe content is not that of a/])
    expect(await axe(page)).toEqual([])
    await files.getByRole('button', { name: 'Remove fake.pdf' }).click()
    await form.getByRole('button', { name: 'Send' }).click()

    await expect(own).toHaveText(/note\.txt.*Is this the right cable\?/s)
    await expect(own.getByRole('link', { name: `About ${name}` })).toBeVisible()
    await expect(own).not.toContainText('http')
    await expect(card).toHaveCount(0)
    await expect(question).toHaveValue('')
    await expect(files).toHaveCount(0)
  },
)

test('a question that is sent before its product is loaded is sent with it', { tag: '@phone' }, async ({ page }) => {
  await signUp(page)
  await page.goto(PRODUCT)
  const name = await page.getByRole('heading', { level: 1 }).innerText()
  const { reached, release } = await holdBack(page, routeOf(getProduct))
  await page.getByRole('link', { name: 'Chat seller' }).click()
  await reached
  const question = page.getByRole('textbox', { name: 'Message' })

  await question.fill('Does it come with a cable?')
  await question.press('Enter')
  release()

  const sent = page.getByRole('region', { name: 'Chat history' }).getByRole('listitem').filter({ hasText: 'cable?' })
  await expect(sent).toHaveCount(1)
  await expect(sent.getByRole('link', { name: `About ${name}` })).toBeVisible()
  await expect(question).toHaveValue('')
})

test('a question whose product cannot be loaded is sent without it', { tag: '@phone' }, async ({ page, faults }) => {
  faults.expect(faultOf('failed', getProduct)).expect(/ERR_FAILED/)
  await signUp(page)
  await page.goto(PRODUCT)
  await page.route(routeOf(getProduct), route => route.abort())
  await page.getByRole('link', { name: 'Chat seller' }).click()
  const question = page.getByRole('textbox', { name: 'Message' })

  await question.fill('Does it come with a cable?')
  await question.press('Enter')

  await expect(page.getByRole('region', { name: 'Chat history' })).toContainText('Does it come with a cable?')
})
