import type { Page } from 'playwright/test'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { sendFiles } from '#contract/chat.ts'
import { bubble, chat, field, idOf, list, mark, write } from '#tests/support/browser/chat-page.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, expectAccessible } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { foreignElements } from '#tests/support/browser/injected-nodes.ts'
import { connectSeller, sellerOf } from '#tests/support/provider/shopkeeper.ts'
import { test } from '#tests/support/provider/toy-shop.ts'
import { XSS_TEXTS } from '#tests/support/faults/xss.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test.describe('files', () => {
  test('are chosen, sent, opened and downloaded', { tag: '@phone' }, async ({ page, shop }) => {
    const customer = await signUp(page)
    const sellerId = await sellerOf(page, 'kite')
    const seller = await connectSeller(shop, sellerId)
    await page.goto(chat(sellerId))
    const files = page.getByRole('list', { name: 'Chosen files' })
    await pasteFile(page, 'pasted.png')
    const [picker] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Attach files' }).click(),
    ])
    expect(picker.isMultiple()).toBe(true)
    await picker.setFiles([
      { name: '<img src=x onerror=alert(1)>.png', mimeType: 'image/png', buffer: PICTURE },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Tail: two metres') },
      { name: 'run.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    ])
    await expect(toastOf(page, 'run.exe cannot be sent')).toBeVisible()
    await expect(files.getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    // The same file again.
    await pasteFile(page, 'pasted.png')
    for (const left of [4, 3]) {
      await expect(files.getByRole('listitem')).toHaveCount(left)
      await files.getByRole('button', { name: 'Remove pasted.png' }).first().click()
    }
    await expect(files.getByRole('listitem')).toHaveCount(2)
    await expect(field(page)).toBeFocused()
    await field(page).fill('Look')

    await page.getByRole('button', { name: 'Send' }).click()

    await expect(toastOf(page, 'File sent successfully')).toBeVisible()
    await expect(files).toBeHidden()
    await expect(field(page)).toHaveValue('')
    const picture = bubble(page, 'Look').getByRole('button', { name: /^Open picture/ })
    await expect(picture.getByRole('presentation')).toHaveJSProperty('complete', true)
    await picture.click()
    const viewer = page.getByRole('dialog', { name: /onerror=alert/ })
    await expect(viewer.getByRole('img')).toBeVisible()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    await expect(picture).toBeFocused()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bubble(page, 'Look').getByRole('link', { name: 'Download notes.txt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('notes.txt')
    expect((await seller.messages(idOf(customer))).messages.at(-1)?.attachments).toHaveLength(2)
    await expectAccessible(page)
    seller.close()
  })

  test('leave no text behind when another chat is opened meanwhile', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page)
    const [kite, lamp] = [await sellerOf(page, 'kite'), await sellerOf(page, 'lamp')]
    await page.goto(chat(lamp))
    await write(page, 'Hello')
    await page.goto(chat(kite))
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Tail: two metres') }
    await page.getByLabel('Files', { exact: true }).setInputFiles(notes)
    await field(page).fill('Look')
    const { reached, release } = await holdBack(page, routeOf(sendFiles))
    await page.getByRole('button', { name: 'Send' }).click()
    await reached
    const sellers = page.getByRole('navigation', { name: 'Sellers' })
    await sellers.getByRole('link', { name: /Lamp|Light/ }).click()
    await expect(field(page)).toHaveValue('')
    await sellers.getByRole('link', { name: /Toy/ }).click()
    await expect(field(page)).toHaveValue('Look')

    release()

    await expect(bubble(page, 'Look')).toBeVisible()
    await expect(field(page)).toHaveValue('')
  })

  test('that fail to upload stay chosen', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^422 /).expect(/status of 422/)
    await signUp(page)
    await page.goto(chat(await sellerOf(page, 'kite')))
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await page.getByRole('button', { name: 'Send' }).click()

    await expect(toastOf(page, 'Error uploading files')).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeHidden()
    await expect(page.getByRole('list', { name: 'Chosen files' })).toContainText('a.png')
  })

  test('are not sent automatically after being offline', { tag: '@desktop' }, async ({ page, context, faults }) => {
    faults.allow(/ERR_INTERNET_DISCONNECTED/)
    await signUp(page)
    await page.goto(chat(await sellerOf(page, 'kite')))
    await field(page).fill('Look')
    await pasteFile(page, 'pasted.png')

    await context.setOffline(true)

    await expect(page.getByText('You are offline.')).toHaveText(
      'You are offline. Send your files when you are back online.',
    )
    await page.getByRole('button', { name: 'Remove pasted.png' }).click()
    await expect(page.getByText('You are offline.')).toContainText(
      'Your messages will be sent when you are back online.',
    )
  })
})

async function pasteFile(page: Page, name: string) {
  await field(page).evaluate((element, fileName) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['pasted'], fileName, { type: 'image/png', lastModified: 0 }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, name)
}

test('an address of a page of the shop in a message is a link, one of another site is not', async ({ page }) => {
  await signUp(page)
  await page.goto(chat(await sellerOf(page, 'kite')))
  const { origin } = new URL(page.url())

  await write(page, `Is ${origin}/products, like https://elsewhere.example/x or ${origin}.example/x?`)

  const link = list(page).getByRole('link')
  await expect(link).toHaveText(`${origin}/products`)
  await expect(link).toHaveAttribute('href', `${origin}/products`)
})

test.describe('a shop with automatic replies', { tag: '@desktop' }, () => {
  test('marks its replies as automated, and suggests a person when urgent', { tag: '@long' }, async ({ page }) => {
    await signUp(page)
    const sellerId = await sellerOf(page, 'lamp')
    await page.goto(chat(sellerId))
    const { release } = await holdBack(page, '**/chat/customer/ai-reply')

    await write(page, 'This is urgent')

    await expect(page.getByText('AI is typing...')).toBeVisible()
    release()
    await expect(list(page).getByText('Automated response')).toBeVisible()
    await expect(page.getByText('AI is typing...')).toBeHidden()
    await expect(page.getByText('This conversation may need human attention')).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await expect(list(page).getByText('Automated response')).toBeVisible()
    await expect(page.getByText('This conversation may need human attention')).toBeVisible()
  })

  test('shows an error when the automatic reply fails', async ({ page, faults }) => {
    faults.expect(/^503 /).expect(/status of 503/)
    await signUp(page)
    await page.goto(chat(await sellerOf(page, 'lamp')))
    await page.route('**/chat/customer/ai-reply', route => route.fulfill({ status: 503, json: { error: 'no' } }))

    await write(page, 'Hello')

    await expect(toastOf(page, 'Error fetching AI response')).toBeVisible()
  })
})

test.describe('a chat page', () => {
  test('asks to select a seller when there is none', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page)
    await page.goto('/dashboard/chat')
    await expect(page.getByText('Select a seller to continue')).toBeVisible()

    await page.getByRole('button', { name: 'Attach files' }).click()

    await expect(toastOf(page, 'Please select a seller first')).toBeVisible()
  })

  test('shows an error for an unknown shop', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^404 /).expect(/status of 404/)
    await signUp(page)
    await page.goto(chat('nobody'))

    await expect(page.getByText('There is no such shop.')).toBeVisible()
    expect(await axe(page)).toEqual([])
  })

  test('shows messages that contain scripts as plain text', { tag: '@desktop' }, async ({ page, shop }) => {
    const customer = await signUp(page)
    const sellerId = await sellerOf(page, 'kite')
    const seller = await connectSeller(shop, sellerId)
    await page.goto(chat(sellerId))
    await write(page, XSS_TEXTS[0] ?? '')
    await expect(mark(bubble(page, XSS_TEXTS[0] ?? ''))).toHaveAttribute('data-mark', 'sent')

    for (const text of XSS_TEXTS) await seller.send(idOf(customer), text)

    await expect(list(page).locator('.bubble-text')).toHaveText([XSS_TEXTS[0] ?? '', ...XSS_TEXTS])
    await expect(foreignElements(list(page), 'ol, li, div, span, p, time, button, output')).toHaveCount(0)
    seller.close()
  })
})
