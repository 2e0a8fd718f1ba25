import type { Page } from 'playwright/test'
import { getNotifications } from '#contract/notifications.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import {
  axe,
  ENLARGED_PX,
  enlargeLetters,
  expect,
  expectAccessible,
  measureShifts,
  overflowing,
} from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { foreignElements } from '#tests/support/browser/injected-nodes.ts'
import { market } from '#tests/support/provider/market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'
import { XSS_TEXTS } from '#tests/support/faults/xss.ts'

const notifications = (page: Page) => page.getByRole('main').getByRole('article')
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
const badge = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: /^Notifications/ })
    .locator('[data-unread-count]')

/** The bell in the header of every page. */
const bell = (page: Page) =>
  page.getByRole('navigation', { name: 'Account and shop' }).getByRole('link', { name: /^Notifications/ })

const notify = (shop: { dataDir: string }, email: string, title: string, ...more: string[]) =>
  market(shop, 'notify', title, 'All of it.', '--to', email, ...more)

test('the bell in the header counts the unread ones on every page, as they arrive', async ({ page, shop }) => {
  const { email } = await signUp(page)
  await notify(shop, email, 'Your parcel waits')
  await page.goto('/products')
  await expect(bell(page).locator('[data-unread-count]')).toHaveText('1')
  await expect(bell(page)).toHaveAccessibleName(/^Notifications\s+\(?1 unread/)

  await bell(page).click()
  await expect(page).toHaveURL('/dashboard/notifications')
  await notifications(page)
    .getByRole('button', { name: /Mark as read/ })
    .click()
  await expect(bell(page).locator('[data-unread-count]')).toBeHidden()
  await page.goto('/products')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
})

test(
  'notifications arrive at once, are counted in the menu and can be read',
  { tag: '@desktop' },
  async ({ page, context, shop }) => {
    const { email } = await signUp(page)
    const shifts = await measureShifts(page)
    const connected = page.waitForEvent('websocket')
    await page.goto('/dashboard/notifications')
    await expect(page.getByRole('tabpanel')).toContainText('No notifications')
    await expect(page.getByRole('tabpanel')).toContainText('Notifications from admin')
    await expect(badge(page)).toBeHidden()
    await connected

    await notify(shop, email, 'Your parcel waits', '--priority', 'high', '--link', '/cart')

    await expect(notifications(page)).toHaveCount(1)
    await expect(notifications(page)).toContainText('High')
    await expect(notifications(page)).toContainText('All of it.')
    await expect(notifications(page).getByRole('link', { name: /View details/ })).toHaveAttribute('href', '/cart')
    await expect(badge(page)).toHaveText('1')
    await expect(tab(page, 'Unread')).toHaveText('Unread(1)')
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(badge(other)).toHaveText('1')
    await tab(page, 'All').press('ArrowRight')
    await expect(tab(page, 'Unread')).toBeFocused()
    await notifications(page)
      .getByRole('button', { name: /Mark as read/ })
      .click()

    await expect(toastOf(page, 'Notification marked as read')).toBeVisible()
    await expect(page.getByRole('tabpanel')).toHaveText('No unread notifications')
    await expect(page.getByRole('tabpanel')).toBeFocused()
    for (const each of [page, other]) await expect(badge(each)).toBeHidden()
    await page.reload()
    await expect(tab(page, 'Unread')).toHaveAttribute('aria-selected', 'true')
    await tab(page, 'Read').click()
    await expect(notifications(page)).toContainText('Your parcel waits')
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    expect(await overflowing(page)).toEqual([])
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    await enlargeLetters(page)
    expect(await overflowing(page)).toEqual([])
    const text = await notifications(page).getByText('All of it.').boundingBox()
    expect(text?.width).toBeGreaterThan(4 * ENLARGED_PX)
  },
)

test('notifications are polled every 30 s and refreshed on click', { tag: '@desktop' }, async ({ page, shop }) => {
  // A socket that never sends anything.
  await page.routeWebSocket(/socket\.io/, () => undefined)
  const { email } = await signUp(page)
  await page.clock.install()
  await page.goto('/dashboard/notifications')
  await expect(page.getByRole('tabpanel')).toContainText('No notifications')
  for (let at = 1; at <= 2; at += 1) await notify(shop, email, `News ${at}`)

  await page.clock.fastForward(30_000)

  await expect(badge(page)).toHaveText('2')
  await notify(shop, email, 'News 3')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(badge(page)).toHaveText('3')
})

test('notifications show errors when loading or marking fails', { tag: '@desktop' }, async ({ page, faults }) => {
  faults.expect(/^503 /).expect(/status of 503/)
  await signUp(page)
  const away = `**/api${getNotifications.path}`
  await page.route(away, route => route.fulfill({ status: 503, json: { error: 'Try again in a moment' } }))
  await page.goto('/dashboard/notifications')
  await expect(page.getByText('Failed to fetch notifications')).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.unroute(away)
  await page.route(away, route => route.fulfill({ json: { success: true, notifications: MANY } }))

  await page.getByRole('button', { name: 'Try again' }).click()

  await expect(badge(page)).toHaveText('9+')
  await expect(
    page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: `Notifications (${MANY.length} unread)` }),
  ).toBeVisible()
  await expect(notifications(page).locator('p')).toHaveText(XSS_TEXTS)
  await expect(foreignElements(notifications(page), 'h2, p, div, span, time, button, a')).toHaveCount(0)
  await expect(notifications(page).getByRole('link')).toHaveCount(0)
  await page.route('**/read', route => route.fulfill({ status: 503, json: { error: 'Try again in a moment' } }))
  await notifications(page)
    .first()
    .getByRole('button', { name: /Mark as read/ })
    .click()
  await expect(notifications(page).first()).toBeFocused()
  await expect(toastOf(page, 'Failed to mark notification as read')).toBeVisible()
  await expect(tab(page, 'Read')).toHaveText('Read(0)')
})

const MANY = XSS_TEXTS.map((text, at) => ({
  _id: `n${at}`,
  title: text,
  message: text,
  priority: 'low',
  createdAt: new Date(Date.UTC(2025, 0, 1, 0, at)).toISOString(),
  readBy: [],
  link: 'javascript:alert(1)',
}))
