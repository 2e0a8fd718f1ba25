import type { Page } from 'playwright/test'
import { login } from '#contract/auth.ts'
import type { Db } from '#server/db/types.ts'
import { orderLines, orders, platformBanners, sellerOrders, users } from '#server/db/schema.ts'
import { storeMessage } from '#server/chat/messages.ts'
import { notify } from '#server/notifications/notifications.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { addProduct, addReview, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { expect } from '#tests/support/browser/e2e.ts'
import { fillCart } from '#tests/support/browser/ordering-pages.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'
import { injectedNodes } from '#tests/support/browser/injected-nodes.ts'
import { XSS_TEXTS } from '#tests/support/faults/xss.ts'

/** The same in every process: one stores the customer, another signs her in. */
const ADA = { ...newcomer(), id: 'ada', email: 'ada@hostile.test' }
const ORDER = 'hostile-order'
const ALL = XSS_TEXTS.join('\n')
const PER_PAGE = 12
/** A picture that is not stored. */
const picture = { hash: 'a'.repeat(64) }
const slugOf = (at: number) => `hostile-${at}`
const PAGES = Array.from({ length: Math.ceil(XSS_TEXTS.length / PER_PAGE) }, (_, at) => at + 1)

const test = testWithShop(async db => {
  const [name = '', address = '', city = '', area = '', phone = ''] = XSS_TEXTS
  const shippingDetails = { ...ACCOUNT.shippingDetails, name, address, city, area, phone }
  const { postal: post, ...place } = shippingDetails
  const passwordHash = await openPasswords().hash(ADA.password)
  await db.insert(users).values({ id: ADA.id, name: ALL, email: ADA.email, passwordHash, shippingDetails })
  await db.insert(orders).values({
    id: ORDER,
    userId: ADA.id,
    priceCents: 1999,
    status: 'placed',
    paymentStatus: 'paid',
    paidAt: new Date(),
    destination: { ...place, post },
  })
  for (const [at, text] of XSS_TEXTS.entries()) await addHostile(db, at, text)
  const banners = XSS_TEXTS.map(text => ({ title: text, description: text, link: text, picture }))
  await db.insert(platformBanners).values(banners.map((banner, position) => ({ ...banner, position })))
})

/** Adds a shop, a product with a banner, a review, an order line, a notification and a message, all with this text. */
async function addHostile(db: Db, at: number, text: string): Promise<void> {
  const banner = { title: text, description: text, link: text, picture }
  const shop = { shopName: text, description: text, banner, isVerified: true, rating: 5 }
  const { id: sellerId } = await addSeller(db, { id: `shop-${at}`, ...shop })
  const seen = { name: text, brand: text, category: text, slug: slugOf(at) }
  const shown = { ...seen, shopName: text, description: at === 0 ? ALL : text, banner, shippingPrices: { Kenya: 500 } }
  const product = await addProduct(db, { ...shown, sellerId, rating: 5, ratingCount: 1 })
  await addReview(db, product.id, { name: text, review: text })
  await notify(db, { userId: ADA.id, title: text, message: text })
  const [part] = await db
    .insert(sellerOrders)
    .values({ orderId: ORDER, sellerId, shopName: text, priceCents: 1999 })
    .returning()
  const line = { productId: product.id, variantId: product.variantId, quantity: 1, unitCents: 1999 }
  await db.insert(orderLines).values({
    ...line,
    sellerOrderId: part!.id,
    snapshot: { ...seen, priceCents: 1999, discount: 0, picture: undefined },
  })
  const chat = { db, addressOf: () => '/nowhere' }
  const file = { type: 'other' as const, mimeType: 'text/plain', originalName: text, size: 1 }
  const files = [{ ...file, key: `file-${at}` }]
  await storeMessage(chat, { userId: ADA.id, sellerId: 'shop-0', sender: 'customer', text, files })
}

test.describe.configure({ mode: 'default' })

const spaced = (text: string) => text.replace(/\s+/g, ' ')

/** Expects the complete page without any element injected by a text. */
async function expectHarmless(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  expect(await page.evaluate(injectedNodes, null), path).toEqual([])
}

test.describe('hostile texts', { tag: ['@desktop', '@long'] }, () => {
  test.beforeEach(({ faults }) => void faults.allow(/404 .*\/media\/a{64}/).allow(/status of 404/))

  test('are plain text in the server-rendered HTML', async ({ page, request }) => {
    // A blank page has no CSP that would hide what the parsed HTML runs.
    await page.goto('about:blank')
    const listings = PAGES.flatMap(number => [`/products?pageNumber=${number}`, `/stores?pageNumber=${number}`])
    const searches = XSS_TEXTS.map(text => `/products/search?value=${encodeURIComponent(text)}`)
    const categories = XSS_TEXTS.map(text => `/products?category=${encodeURIComponent(text)}`)
    const own = XSS_TEXTS.flatMap((_, at) => [`/product/details/${slugOf(at)}`, `/stores/x/shop-${at}`])
    for (const path of ['/', ...listings, ...searches, ...categories, ...own]) {
      const html = await (await request.get(path)).text()
      expect(await page.evaluate(injectedNodes, html), path).toEqual([])
    }
  })

  test('are plain text on the public pages', async ({ page }) => {
    const listings = PAGES.flatMap(number => [`/products?pageNumber=${number}`, `/stores?pageNumber=${number}`])
    for (const path of ['/', ...listings, `/product/details/${slugOf(0)}`, '/stores/x/shop-0'])
      await expectHarmless(page, path)
  })

  test('are plain text as a search', async ({ page }) => {
    test.slow()
    for (const text of XSS_TEXTS) {
      await page.goto(`/products/search?value=${encodeURIComponent(text)}`)
      await expect(page.getByLabel('Search products')).toHaveValue(text.replace(/[\n\r]/g, ''))
      expect(await page.evaluate(injectedNodes, null), text).toEqual([])
    }
  })

  test('are plain text in the cart, at the checkout and on the dashboard', async ({ page }) => {
    test.slow()
    const { email, password } = ADA
    const answer = await page.request.post(`/api${login.path}`, { data: { email, password } })
    const { token } = (await answer.json()) as { token: string }
    await page.goto('/favicon.svg')
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [CUSTOMER_TOKEN, token] as const)
    await fillCart(page, { ...ADA, token }, Object.fromEntries(XSS_TEXTS.map((_, at) => [slugOf(at), 1])))

    for (const [path, shown] of [
      ['/cart', XSS_TEXTS],
      ['/shipping', XSS_TEXTS],
      ['/dashboard', []],
      ['/dashboard/my-orders', []],
      [`/dashboard/order/details/${ORDER}`, XSS_TEXTS],
      ['/dashboard/my-wishlist', []],
      ['/dashboard/notifications', XSS_TEXTS],
      ['/dashboard/account', []],
      ['/dashboard/chat/shop-0', XSS_TEXTS],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('main')).toContainText(shown.at(-1) ?? /\w/)
      expect(await page.evaluate(injectedNodes, null), path).toEqual([])
      const said = spaced((await page.getByRole('main').textContent()) ?? '')
      expect(shown.filter(text => !said.includes(spaced(text)))).toEqual([])
    }
  })
})
