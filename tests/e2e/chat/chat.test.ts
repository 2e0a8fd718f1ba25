import type { Page } from 'playwright/test'
import { bubble, chat, field, idOf, list, mark, write } from '#tests/support/browser/chat-page.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, expectAccessible } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { connectSeller, sellerOf } from '#tests/support/provider/shopkeeper.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const LYING_PHONE = { width: 844, height: 390 }
const HINT = 'Enter sends, Shift + Enter starts a new line'

test.describe('a conversation', () => {
  test('starts on a product page; messages go both ways', async ({ page, shop, isMobile }) => {
    const customer = await signUp(page, 'Grace Hopper')
    await page.goto(productPage('kite'))
    await page.getByRole('link', { name: 'Chat seller' }).click()
    await expect(list(page)).toHaveText('You have no shared messages')
    // On a phone, the keyboard would cover half of the conversation.
    await (isMobile ? expect(field(page)).not : expect(field(page))).toBeFocused()
    const sellerId = await sellerOf(page, 'kite')
    await expect(page).toHaveURL(({ pathname }) => pathname === chat(sellerId))
    await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
    await page.getByRole('button', { name: 'Do not ask about Red kite' }).click()
    const seller = await connectSeller(shop, sellerId)
    await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Online')

    await field(page).fill('Does it fly')
    await field(page).press('Shift+Enter')
    await field(page).pressSequentially('in the rain?')
    // So Safari sends the Enter that ends a word of an input method.
    await field(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
    await expect(field(page)).toHaveValue('Does it fly\nin the rain?')
    await field(page).press('Enter')

    await expect(field(page)).toHaveValue('')
    await expect(mark(bubble(page, 'Does it fly'))).toHaveAttribute('data-mark', 'sent')
    await expect.poll(() => seller.messagesFrom(idOf(customer))).toEqual(['Does it fly\nin the rain?'])
    await seller.markSeen(idOf(customer))
    await expect(mark(bubble(page, 'Does it fly'))).toHaveAttribute('data-mark', 'seen')
    await seller.send(idOf(customer), 'As long as there is wind.')
    await expect(bubble(page, 'As long as there is wind.')).toBeVisible()
    await expect(page.getByText('Toy Town: As long as there is wind.', { exact: true })).toBeAttached()
    await expect.poll(async () => (await seller.messages(idOf(customer))).messages.at(-1)?.status).toBe('seen')
    await expectAccessible(page)

    const shopLink = page.getByRole('navigation', { name: 'Sellers' }).getByRole('link', { name: 'Toy Town' })
    if (isMobile) {
      await expect(shopLink).toBeHidden()
      await expect(page.getByRole('banner')).toBeHidden()
      await page.getByRole('link', { name: 'All chats' }).click()
      await expect(page).toHaveURL('/dashboard/chat')
      await expect(page.getByRole('banner')).toBeVisible()
      await expect(list(page)).toBeHidden()
      await expect(shopLink).toContainText('As long as there is wind.')
      await expectAccessible(page)
      await shopLink.click()
      await expect(bubble(page, 'As long as there is wind.')).toBeVisible()
      await page.setViewportSize(LYING_PHONE)
      await expect(page.getByText(HINT)).toBeHidden()
      await page.goBack()
      await expect(shopLink).toBeVisible()
      await page.goto('/dashboard')
      await page.goto('/dashboard/chat')
      await expect(bubble(page, 'As long as there is wind.')).toBeVisible()
      await page.getByRole('link', { name: 'All chats' }).click()
      await expect(shopLink).toBeVisible()
    } else {
      await expect(page.getByText(HINT)).toBeVisible()
      await page.goto('/dashboard/chat')
      await expect(shopLink).toHaveAttribute('aria-current', 'page')
      await expect(bubble(page, 'As long as there is wind.')).toBeVisible()
      await page.setViewportSize(LYING_PHONE)
      await expect(shopLink).toBeHidden()
      await expect(field(page)).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('banner')).toBeHidden()
      // A window that is as low but wide keeps the dashboard’s columns.
      await page.setViewportSize({ width: 1280, height: 450 })
      await expect.poll(() => field(page).evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(600)
    }
    seller.close()
  })

  test(
    'loses no message while offline or by a reload',
    { tag: '@desktop' },
    async ({ page, context, shop, faults }) => {
      const customer = await signUp(page)
      const sellerId = await sellerOf(page, 'kite')
      const seller = await connectSeller(shop, sellerId)
      await page.goto(chat(sellerId))
      await write(page, 'First')
      await expect(mark(bubble(page, 'First'))).toHaveAttribute('data-mark', 'sent')

      // The socket may reconnect in the meantime.
      faults.allow(/ERR_INTERNET_DISCONNECTED/)
      await context.setOffline(true)
      await write(page, 'Second')
      await write(page, 'Third')
      await field(page).fill('Not finished')
      await expect(mark(bubble(page, 'Third'))).toHaveAttribute('data-mark', 'waiting')
      await expect(page.getByText('You are offline.')).toBeVisible()
      await seller.send(idOf(customer), 'Meanwhile')
      await context.setOffline(false)

      await expect(mark(bubble(page, 'Third'))).toHaveAttribute('data-mark', 'sent')
      await expect(list(page).locator('.bubble-text')).toHaveText(['First', 'Meanwhile', 'Second', 'Third'])
      expect(seller.messagesFrom(idOf(customer))).toEqual(['First', 'Second', 'Third'])
      await page.route('**/send-message-to-seller', route => route.abort('failed'))
      faults.expect(/ERR_FAILED/).expect(/failed: .*send-message-to-seller/)
      const failure = page.waitForEvent('requestfailed', request => request.url().endsWith('send-message-to-seller'))
      await write(page, 'Fourth')
      await failure
      await field(page).fill('Not finished')
      await expect(mark(bubble(page, 'Fourth'))).toHaveAttribute('data-mark', 'waiting')
      await page.unroute('**/send-message-to-seller')
      await page.reload()
      await expect(mark(bubble(page, 'Fourth'))).toHaveAttribute('data-mark', 'sent')
      await expect(field(page)).toHaveValue('Not finished')
      await expect.poll(() => seller.messagesFrom(idOf(customer))).toEqual(['First', 'Second', 'Third', 'Fourth'])
      seller.close()
    },
  )

  test(
    'shows why a message was rejected, and sends it again on request',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      faults.expect(/^422 /).expect(/status of 422/)
      await signUp(page)
      await page.goto(chat(await sellerOf(page, 'kite')))
      await page.route('**/send-message-to-seller', route =>
        route.fulfill({ status: 422, json: { error: 'Too long' } }),
      )
      await write(page, 'Hello')
      await expect(bubble(page, 'Hello').getByRole('alert')).toContainText('Not sent: Too long')
      await expectAccessible(page)

      await page.unroute('**/send-message-to-seller')
      await bubble(page, 'Hello').getByRole('button', { name: 'Try again' }).click()

      await expect(mark(bubble(page, 'Hello'))).toHaveAttribute('data-mark', 'sent')
      await expect(page.getByText('message send success')).toBeVisible()
      await expect(list(page)).toBeFocused()
    },
  )

  test(
    'is the same in two tabs; each message can be copied and deleted',
    { tag: '@desktop' },
    async ({ page, context, shop }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const customer = await signUp(page)
      const sellerId = await sellerOf(page, 'kite')
      const seller = await connectSeller(shop, sellerId)
      await page.goto(chat(sellerId))
      const other = await context.newPage()
      await other.goto(chat(sellerId))
      await expect(list(other)).toContainText('You have no shared messages')
      await write(page, 'Hello')
      await expect(bubble(other, 'Hello')).toHaveCount(1)
      const options = bubble(page, 'Hello').getByRole('button', { name: 'Message options: Hello' })

      await options.press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Copy' })).toBeFocused()
      expect(await axe(page)).toEqual([])
      await page.keyboard.press('Enter')
      await expect(toastOf(page, 'Message copied')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Hello')
      await options.press('Enter')
      await page.keyboard.press('Escape')
      await expect(options).toBeFocused()
      await options.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')

      await expect(toastOf(page, 'Message deleted successfully')).toBeVisible()
      for (const tab of [page, other]) await expect(list(tab)).toContainText('You have no shared messages')
      await expect.poll(async () => (await seller.messages(idOf(customer))).messages).toEqual([])
      seller.close()
    },
  )

  test(
    'is announced by a sound or a toast when it is out of view, and can jump to the newest message',
    { tag: ['@desktop', '@long'] },
    async ({ page, shop }) => {
      await countTones(page)
      const customer = await signUp(page)
      const sellerId = await sellerOf(page, 'kite')
      const seller = await connectSeller(shop, sellerId)
      await page.goto(chat(sellerId))
      await write(page, 'Hello')
      await expect(mark(bubble(page, 'Hello'))).toHaveAttribute('data-mark', 'sent')
      for (let at = 1; at <= 20; at += 1) await seller.send(idOf(customer), `Line ${at}`)
      await expect(bubble(page, 'Line 20')).toBeInViewport()

      await list(page).evaluate(each => each.scrollTo({ top: 0 }))
      await expect(bubble(page, 'Line 20')).not.toBeInViewport()
      await seller.send(idOf(customer), 'The last')
      await page.getByRole('button', { name: '1 new message' }).click()
      await expect(bubble(page, 'The last')).toBeInViewport()
      await expect(page.getByRole('button', { name: '1 new message' })).toBeHidden()
      await expect(list(page)).toBeFocused()
      const toneCount = await tones(page)
      expect(toneCount).toBeGreaterThan(0)
      await page.getByRole('switch', { name: 'Sound' }).click()
      await write(page, 'Quietly')
      await expect(mark(bubble(page, 'Quietly'))).toHaveAttribute('data-mark', 'sent')
      expect(await tones(page)).toBe(toneCount)

      await page.goto('/dashboard/notifications')
      await expect(async () => {
        await seller.send(idOf(customer), 'Are you there?')
        await expect(toastOf(page, 'New message').first()).toContainText('Toy Town sent a message', { timeout: 1000 })
      }).toPass()
      await page.goto('/dashboard/chat')
      await expect(page.getByRole('switch', { name: 'Sound' })).not.toBeChecked()
      seller.close()
    },
  )
})

/** Counts the tones that the page plays. */
async function countTones(page: Page) {
  await page.addInitScript(() => {
    const start = OscillatorNode.prototype.start
    Object.assign(window, { tones: 0 })
    OscillatorNode.prototype.start = function (...when) {
      ;(window as unknown as { tones: number }).tones += 1
      return start.apply(this, when)
    }
  })
}

const tones = (page: Page) => page.evaluate(() => (window as unknown as { tones: number }).tones)
