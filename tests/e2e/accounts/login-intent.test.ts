import type { Page } from 'playwright/test'
import { demoId } from '#server/operators/demo/rows.ts'
import { addToCart } from '#contract/cart.ts'
import { buyNowPath } from '#contract/page-urls.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { newcomer, register, type SignedUp, signUp } from '#tests/support/accounts/customer.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const PRODUCT_ID = demoId('product', 'elbe-over-ear-headphones')
const LISTING = '/products?category=Audio&layout=list'
const SELLER = demoId('shop', 'tonehaus')
const FIRST_COLOUR = demoId('variant', 'elbe-over-ear-headphones:0')
const checkoutOf = (quantity: number) => buyNowPath({ slug: 'elbe-over-ear-headphones' }, quantity, FIRST_COLOUR)

const toasts = (page: Page) => page.locator('[data-sonner-toast]')
const count = (page: Page, name: 'cart' | 'wishlist') => page.locator(`[data-count="${name}"]`)
const buyBox = (page: Page) => page.getByRole('form', { name: /^Buy/ })

async function logIn(page: Page, { email, password }: SignedUp) {
  await fill(page, { Email: email, Password: password })
  await submit(page, 'Log in').click()
}

/** Clears all browser state, as on a first visit. */
async function forget(page: Page) {
  // Leave the page first: its further requests would be rejected.
  await page.goto('/favicon.svg')
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.context().clearCookies()
}

/** Records the bodies of the page’s add-to-cart requests. */
async function recordAdded(page: Page): Promise<unknown[]> {
  const added: unknown[] = []
  // Playwright sees the bodies of cloned requests only where it routes them.
  await page.route(routeOf(addToCart), route => {
    added.push(route.request().postDataJSON())
    return route.continue()
  })
  return added
}

/** Records the titles of toasts, also of those that have gone. */
async function recordToasts(page: Page): Promise<Set<string>> {
  const shown = new Set<string>()
  await page.exposeFunction('noteToast', (title: string) => void shown.add(title))
  await page.addInitScript(`new MutationObserver(() => {
    for (const title of document.querySelectorAll('[data-sonner-toast] [data-title]')) noteToast(title.textContent)
  }).observe(document, { childList: true, subtree: true })`)
  return shown
}

test.describe("a visitor's click survives the login", () => {
  test('Cart and Wishlist in the header', { tag: '@phone' }, async ({ page, request }) => {
    const customer = await register(request)
    for (const [name, path, reason] of [
      ['Cart', '/cart', 'Log in to see your cart.'],
      ['Wishlist', '/dashboard/my-wishlist', 'Log in to see your wishlist.'],
    ] as const) {
      await page.goto('/about-us')
      await page.getByRole('banner').getByRole('link', { name }).click()
      await expect(page.getByText(reason)).toBeVisible()
      await logIn(page, customer)
      await expect(page).toHaveURL(path)
      await settled(page)
      await forget(page)
    }
  })

  test(
    'Add to cart with its quantity, once; Add to cart on a card after registering',
    { tag: '@phone' },
    async ({ page, request }) => {
      const customer = await register(request)
      const added = await recordAdded(page)
      const shown = await recordToasts(page)
      await page.goto(PRODUCT)
      await buyBox(page).getByRole('button', { name: 'Increase quantity' }).click()
      await buyBox(page).getByRole('button', { name: 'Add to cart' }).click()
      await expect(page).toHaveURL(url => url.pathname === '/login')
      await logIn(page, customer)

      await expect(page).toHaveURL(PRODUCT)
      await expect(count(page, 'cart')).toHaveText('2')
      await expect(toasts(page).getByRole('link', { name: 'View cart' })).toBeVisible()
      expect([...shown]).toEqual(['Added to cart'])
      await page.reload()
      await settled(page)
      await expect(count(page, 'cart')).toHaveText('2')
      expect(added).toMatchObject([{ productId: PRODUCT_ID, quantity: 2 }])

      await forget(page)
      await page.goto(LISTING)
      const add = page.getByRole('link', { name: /^Add .* to cart$/ }).nth(4)
      await add.scrollIntoViewIfNeeded()
      const left = await page.evaluate(() => scrollY)
      expect(left).toBeGreaterThan(300)
      await add.click()
      await expect(page).toHaveURL(url => url.searchParams.get('next') === LISTING)
      await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
      const { name, email, password } = newcomer()
      await fill(page, { Name: name, Email: email, Password: password })
      await submit(page, 'Register').click()

      await expect(page).toHaveURL(LISTING)
      await expect(count(page, 'cart')).toHaveText('1')
      await expect.poll(() => added).toHaveLength(2)
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(left)
    },
  )

  test(
    'Add to wishlist on a product and on a card, and the review form that the visitor came from',
    { tag: '@desktop' },
    async ({ page, request }) => {
      const wish = page.getByRole('link', { name: /^Add .* to wishlist$/ }).first()
      for (const [path, click] of [
        [PRODUCT, () => buyBox(page).getByRole('button', { name: 'Add to wishlist' }).click()],
        ['/products', () => wish.click()],
      ] as const) {
        await page.goto(path)
        await click()
        await expect(page).toHaveURL(url => url.pathname === '/login')
        await logIn(page, await register(request))

        await expect(page).toHaveURL(path)
        await expect(count(page, 'wishlist')).toHaveText('1')
        await forget(page)
      }
      await page.goto(`${PRODUCT}#reviews`)
      await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
      await logIn(page, await register(request))

      await expect(page).toHaveURL(`${PRODUCT}?write#reviews`)
      await expect(page.getByRole('form', { name: 'Your review' })).toBeVisible()
    },
  )

  test('Buy Now and Chat seller go on to their pages', { tag: '@desktop' }, async ({ page, request }) => {
    const customer = await register(request)
    for (const [button, next] of [
      [buyBox(page).getByRole('button', { name: 'Buy Now' }), checkoutOf(1)],
      [buyBox(page).getByRole('link', { name: 'Chat seller' }), `/dashboard/chat/${SELLER}`],
    ] as const) {
      await page.goto(PRODUCT)

      await button.click()
      await logIn(page, customer)

      await expect(page).toHaveURL(url => (url.pathname + url.search).startsWith(next))
      await forget(page)
    }
  })
})

test(
  'does not carry out a click from a forged address, nor one after the visitor went to another page',
  {
    tag: ['@desktop', '@long'],
  },
  async ({ page, request }) => {
    const added = await recordAdded(page)
    const customer = await register(request)
    const intent = encodeURIComponent(JSON.stringify({ kind: 'addToCart', productId: PRODUCT_ID, quantity: 9 }))
    await page.goto(`/login?next=${encodeURIComponent(PRODUCT)}&intent=${intent}&addToCart=${PRODUCT_ID}`)
    await logIn(page, customer)
    await expect(page).toHaveURL(PRODUCT)
    await settled(page)
    expect(added).toEqual([])
    await expect(count(page, 'cart')).toBeHidden()

    await forget(page)
    await page.goto('/products')
    await page
      .getByRole('link', { name: /^Add .* to cart$/ })
      .first()
      .click()
    await expect(page).toHaveURL(url => url.pathname === '/login')
    await page.goto('/stores')
    await settled(page)
    await page.goto('/login?next=/products')
    await logIn(page, customer)
    await expect(page).toHaveURL('/products')
    await settled(page)
    expect(added).toEqual([])
  },
)

test.describe('for a signed-in customer', () => {
  test('the product page adds to cart and wishlist without leaving the page', { tag: '@desktop' }, async ({ page }) => {
    await signUp(page)
    await page.goto(PRODUCT)
    const box = buyBox(page)

    const { release } = await holdBack(page, routeOf(addToCart))

    await box.getByRole('button', { name: 'Increase quantity' }).click()
    const toCart = box.getByRole('button', { name: 'Add to cart' })
    await toCart.click()
    await expect(toCart).toHaveAttribute('aria-busy', 'true')
    // One busy button does not block the other.
    await box.getByRole('button', { name: 'Add to wishlist' }).click()
    await expect(count(page, 'wishlist')).toHaveText('1')
    await expect(box.getByRole('button', { name: 'Remove from wishlist' })).toBeVisible()
    await expect(toCart).toHaveAttribute('aria-busy', 'true')
    release()
    await expect(count(page, 'cart')).toHaveText('2')
    await expect(toCart).toHaveAttribute('aria-busy', 'false')

    await expect(page).toHaveURL(PRODUCT)
    const chat = new RegExp(`^/dashboard/chat/${SELLER}\\?productId=`)
    await expect(box.getByRole('link', { name: 'Chat seller' })).toHaveAttribute('href', chat)

    await box.getByRole('button', { name: 'Buy Now' }).click()
    await expect(page).toHaveURL(checkoutOf(2))
  })

  test(
    'a card adds to the cart once for two quick clicks, even before its script has loaded',
    { tag: '@phone' },
    async ({ page }) => {
      const added = await recordAdded(page)
      await signUp(page)
      const { release } = await holdBack(page, '**/_astro/*.js')
      await page.goto('/products', { waitUntil: 'commit' })
      const link = page.getByRole('link', { name: /^Add .* to cart$/ }).first()

      await link.evaluate((element: HTMLElement) => {
        element.click()
        element.click()
      })
      release()

      await expect(count(page, 'cart')).toHaveText('1')
      await expect(page).toHaveURL('/products')
      // The badge counts before the request is sent.
      await expect.poll(() => added).toHaveLength(1)
      await settled(page)
      expect(added).toHaveLength(1)
    },
  )
})

test(
  'after the login the customer returns to the page before, and never to another site',
  {
    tag: ['@desktop', '@long'],
  },
  async ({ page, request }) => {
    const customer = await register(request)
    await page.goto('/stores')
    await page.goto('/products?category=Audio')

    await page.getByRole('navigation', { name: 'Account and shop' }).getByRole('link', { name: 'Log in' }).click()
    await expect(page).toHaveURL('/login')
    await logIn(page, customer)
    await expect(page).toHaveURL('/products?category=Audio')
    await page.goBack()
    await expect(page).toHaveURL('/products?category=Audio')
    // Back does not lead to the login.
    await page.goBack()
    await expect(page).toHaveURL('/stores')

    await forget(page)
    await page.goto(`/login?next=${encodeURIComponent('//evil.example')}`)
    await logIn(page, customer)
    await expect(page).toHaveURL('/')
    for (const next of ['https://evil.example/', '/\\evil.example', '/.//evil.example', 'javascript:alert(1)']) {
      await page.goto(`/register?next=${encodeURIComponent(next)}`)
      await expect(page, next).toHaveURL('/')
    }
  },
)
