import type { Page } from 'playwright/test'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { chat, field, idOf, list, write } from '#tests/support/browser/chat-page.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { foreignElements } from '#tests/support/browser/injected-nodes.ts'
import { signInTalker, SPOKEN } from '#tests/support/browser/long-conversation.ts'
import { connectSeller, sellerOf } from '#tests/support/provider/shopkeeper.ts'
import { test } from '#tests/support/provider/toy-shop.ts'
import { XSS_TEXTS } from '#tests/support/faults/xss.ts'

const ALL = SPOKEN + XSS_TEXTS.length
/** The server checks for expired tokens every ten seconds. */
const ENDED = { timeout: 60_000 }

test(
  'a long conversation loads back to its first message, runs no script, and outlives its access token',
  { tag: ['@desktop', '@long'] },
  async ({ page, shop, faults }) => {
    faults.expect(/^409 /).expect(/status of 409/)
    const sockets = countSockets(page)
    const sellerId = await sellerOf(page, 'kite')
    const seller = await connectSeller(shop, sellerId)
    await page.goto('/favicon.svg')
    // Long enough for the page to connect with this token.
    const customer = await signInTalker(page.request, shop, 10_000)
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      CUSTOMER_TOKEN,
      customer.expiring,
    ] as const)
    await page.goto(chat(sellerId))
    const texts = list(page).locator('.bubble-text')

    await expect(texts).toHaveCount(200)
    await expect(texts.last()).toBeInViewport()
    await expect(list(page).getByText('Automated response')).toHaveCount(XSS_TEXTS.length)
    expect((await texts.allTextContents()).slice(-XSS_TEXTS.length)).toEqual(XSS_TEXTS)
    await expect(foreignElements(list(page), 'ol, li, div, span, p, time, button, output')).toHaveCount(0)
    expect(await axe(page)).toEqual([])

    const first = list(page).getByText(`Message ${ALL - 199}`, { exact: true })
    await list(page).evaluate(each => each.scrollTo({ top: 0 }))
    await expect(texts).toHaveCount(400)
    await expect(first).toBeInViewport()
    await page.getByRole('button', { name: 'Earlier messages' }).press('Enter')
    await expect(texts).toHaveCount(ALL)
    await expect(page.getByRole('button', { name: 'Earlier messages' })).toBeHidden()
    await expect(list(page)).toBeFocused()
    await expect(list(page).getByText('Message 20', { exact: true })).toBeInViewport()

    await expect.poll(() => sockets.count, ENDED).toBeGreaterThan(1)
    await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('Online')
    await seller.send(idOf(customer), 'Still there?')
    await expect(texts.last()).toHaveText('Still there?')
    expect(await page.evaluate(key => localStorage.getItem(key), CUSTOMER_TOKEN)).not.toBe(customer.expiring)
    await write(page, 'Yes')
    await expect(texts.last()).toHaveText('Yes')
    await expect(texts.last()).toBeInViewport()
    seller.close()
  },
)

/** Counts the WebSocket connections that the page opens. */
function countSockets(page: Page) {
  const sockets = { count: 0 }
  page.on('websocket', () => (sockets.count += 1))
  return sockets
}

test(
  'a video dropped on the conversation is sent and plays in it',
  { tag: ['@desktop', '@long'] },
  async ({ page }) => {
    await signUp(page)
    await page.goto(chat(await sellerOf(page, 'kite')))
    await expect(field(page)).toHaveAttribute('placeholder', 'Type a message or attach files...')
    const conversation = page.getByRole('region', { name: 'Conversation' })
    const dataTransfer = await filmOf(page, 'film.webm')

    await conversation.dispatchEvent('dragover', { dataTransfer })
    await expect(page.getByText('Drop files to attach them')).toBeVisible()
    await conversation.dispatchEvent('drop', { dataTransfer })
    await expect(page.getByText('Drop files to attach them')).toBeHidden()
    await expect(page.getByRole('list', { name: 'Chosen files' })).toContainText('film.webm')
    await page.getByRole('button', { name: 'Send' }).click()

    await expect(toastOf(page, 'File sent successfully')).toBeVisible()
    const film = list(page).getByLabel('film.webm', { exact: true })
    await expect(film).toHaveJSProperty('controls', true)
    await film.evaluate((video: HTMLVideoElement) => video.play())
    await expect(film).toHaveJSProperty('videoWidth', 64)
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  },
)

/** A drag that carries a video recorded by the browser. */
function filmOf(page: Page, name: string) {
  return page.evaluateHandle(async fileName => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    const pen = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' })
    const recorded = new Promise<Blob>(resolve => {
      recorder.addEventListener('dataavailable', ({ data }) => resolve(data))
    })
    recorder.start()
    for (let at = 0; at < 12; at += 1) {
      pen.fillStyle = at % 2 ? 'teal' : 'gold'
      pen.fillRect(0, 0, 64, 64)
      await new Promise(resolve => requestAnimationFrame(resolve))
    }
    recorder.stop()
    const dragged = new DataTransfer()
    dragged.items.add(new File([await recorded], fileName, { type: 'video/webm' }))
    return dragged
  }, name)
}
