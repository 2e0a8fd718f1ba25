import type { BrowserContext, Page } from 'playwright/test'
import { refreshToken } from '#contract/session.ts'
import { addToWishlist } from '#contract/wishlist.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { register, signUp } from '#tests/support/accounts/customer.ts'
import { fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const EXPIRED = { error: 'Token expired, please login again', code: 'TOKEN_EXPIRED' }
const ADD_TO_WISHLIST = `**/api${addToWishlist.path}`
const REFRESH = `**/api${refreshToken.path}`
const KEYS = ['authToken', 'customerToken', 'isSafariAuth']

const account = (page: Page) => page.getByRole('navigation', { name: 'Account and shop' })
const wishes = (page: Page) => page.getByRole('link', { name: /^Add .* to wishlist$/ })
const stored = (page: Page) => page.evaluate(keys => keys.map(key => localStorage.getItem(key)), KEYS)

/** From now on the API treats the token of `page` as expired, as it would ten minutes later. Returns the token. */
async function expire(page: Page): Promise<string> {
  const token = await page.evaluate(key => localStorage.getItem(key)!, CUSTOMER_TOKEN)
  await page.context().route('**/api/**', async route => {
    const request = route.request()
    const isOld = (await request.headerValue('authorization')) === `Bearer ${token}`
    if (isOld && !request.url().endsWith('/refresh-token')) await route.fulfill({ status: 409, json: EXPIRED })
    else await route.fallback()
  })
  return token
}

function countRequests(context: BrowserContext, end: string): () => number {
  let count = 0
  context.on('request', request => void (count += request.url().endsWith(end) ? 1 : 0))
  return () => count
}

/** Counts the clicks that the server has accepted (201). */
function countTaken(context: BrowserContext): () => number {
  let count = 0
  context.on('response', answer => void (count += answer.status() === 201 ? 1 : 0))
  return () => count
}

/** Clicks the hearts of the first `count` cards in one task. */
const wishFor = (page: Page, count: number) =>
  wishes(page).evaluateAll((links, most) => {
    for (const link of links.slice(0, most)) (link as HTMLElement).click()
  }, count)

test.describe('an expired token', { tag: '@desktop' }, () => {
  test.beforeEach(({ faults }) => {
    faults.expect(/^409 /).expect(/status of 409/)
  })

  test(
    'is refreshed once for many requests of one tab, and once for three tabs',
    { tag: '@long' },
    async ({ page, context }) => {
      await signUp(page)
      await page.goto('/')
      await settled(page)
      expect(await wishes(page).count()).toBeGreaterThanOrEqual(12)
      const refreshes = countRequests(context, '/refresh-token')
      const taken = countTaken(context)
      const first = await expire(page)

      const clicked = await page.evaluate(() => {
        const links = [...document.querySelectorAll<HTMLElement>('[data-add-to-wishlist], [data-add-to-cart]')]
        for (const link of links) link.click()
        return links.length
      })
      expect(clicked).toBeGreaterThan(12)
      await expect.poll(taken).toBe(clicked)
      expect(refreshes()).toBe(1)
      expect(await stored(page)).toEqual([null, expect.not.stringContaining(first) as unknown, null])

      await signUp(page)
      const tabs = [page, await context.newPage(), await context.newPage()]
      for (const tab of tabs) {
        await tab.goto('/products')
        await settled(tab)
      }
      await expire(page)
      await Promise.all(tabs.map(tab => wishFor(tab, 4)))
      await expect.poll(taken).toBe(clicked + 12)
      expect(refreshes()).toBe(2)
    },
  )

  test('is kept while the network fails; a failed refresh signs out', async ({ page, context, faults }) => {
    faults.expect(/ERR_CONNECTION_RESET/)
    await signUp(page)
    await page.goto('/products')
    await settled(page)
    const token = await expire(page)
    await context.route(REFRESH, route => route.abort('connectionreset'))

    await wishes(page).first().click()
    await expect(toastOf(page, 'The marketplace cannot be reached right now')).toBeVisible()
    expect(await stored(page)).toEqual([null, token, null])
    await context.unroute(REFRESH)
    await wishes(page).first().click()
    await expect(page.locator('[data-sonner-toast][data-type="success"]')).toHaveCount(1)

    // Otherwise a request still under way ends the session before the click.
    await settled(page)
    await context.clearCookies()
    await expire(page)
    await wishes(page).first().click()
    await expect(page).toHaveURL('/login?next=%2Fproducts')
    await expect(toastOf(page, 'Please login first')).toBeVisible()
    await expect(account(page).getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login')
    expect(await stored(page)).toEqual([null, null, null])
  })
})

test.describe('two tabs', { tag: '@desktop' }, () => {
  test('sign in and out together: the header, the product page and the login page update', async ({
    page,
    context,
    request,
  }) => {
    const customer = await register(request)
    const [shopping, waiting] = [await context.newPage(), await context.newPage()]
    await shopping.goto(PRODUCT)
    await waiting.goto('/login?next=/stores')
    await page.goto('/login')

    await fill(page, { Email: customer.email, Password: customer.password })
    await submit(page, 'Log in').click()

    await expect(page).toHaveURL('/')
    await expect(account(shopping).getByRole('link', { name: customer.name })).toHaveAttribute('href', '/dashboard')
    await expect(account(shopping).getByRole('link', { name: 'Cart' })).toHaveAttribute('href', '/cart')
    await expect(waiting).toHaveURL('/stores')
    await shopping.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await expect(shopping).toHaveURL(PRODUCT)
    await expect(shopping.locator('[data-count="cart"]')).toHaveText('1')
    await expect(page.locator('[data-count="cart"]')).toHaveText('1')

    await page.evaluate(key => localStorage.removeItem(key), CUSTOMER_TOKEN)

    await expect(account(shopping).getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login')
    await expect(account(shopping).getByRole('link', { name: 'Cart' })).toHaveAttribute('href', '/login?next=%2Fcart')
  })

  test('clears every stored session key when the server has ended the session', async ({ page, faults }) => {
    faults.expect(/^409 /).expect(/status of 409/)
    await signUp(page)
    await page.goto('/products')
    await settled(page)
    await page.evaluate(() => localStorage.setItem('isSafariAuth', 'true'))
    await page.route(ADD_TO_WISHLIST, route =>
      route.fulfill({ status: 409, json: { error: 'Please login first', code: 'INVALID_TOKEN' } }),
    )

    await wishes(page).first().click()

    await expect(page).toHaveURL('/login?next=%2Fproducts')
    await expect(account(page).getByRole('link', { name: 'Log in' })).toBeVisible()
    expect(await stored(page)).toEqual([null, null, null])
  })
})
