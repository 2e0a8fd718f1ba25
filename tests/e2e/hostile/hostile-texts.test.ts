import { addProduct, addReview, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { saveAccount, signUp } from '#tests/support/accounts/customer.ts'
import { expect, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { fillCart, payButton, payWith } from '#tests/support/browser/ordering-pages.ts'
import { testWithShop } from '#tests/support/provider/own-shop.ts'

const SCRIPT = `<script>alert(1)</script>`
const PAYLOADS = [
  `${SCRIPT}</script><svg onload=alert(2)>`,
  `"><img src=x onerror=alert(3)>`,
  `<a href="javascript:alert(4)">here</a>`,
  `<style>body{display:none}</style><iframe srcdoc="${SCRIPT}"></iframe>`,
]
/** Elements that only an injected text can have added; Astro starts islands by its own inline scripts. */
const FOREIGN = 'main :is(iframe, object, .rich-text :is(script, style), [onerror], [onload], [href^="javascript:"])'
const LONG_WORD = 'Unbreakable'.repeat(30)
const LONG_NAME = LONG_WORD.slice(0, 100)

/** The answer for a picture that was never stored. */
const MISSING = /404 .*\/media\/a{64}/

const test = testWithShop(async db => {
  const description = PAYLOADS.join('\n')
  const seller = await addSeller(db, { id: 'hostile-shop', shopName: `Shop ${SCRIPT}`, description, isVerified: true })
  const texts = {
    sellerId: seller.id,
    shopName: seller.shopName,
    description,
    brand: SCRIPT,
    category: `Toys ${SCRIPT}`,
  }
  const banner = {
    title: SCRIPT,
    description: SCRIPT,
    link: 'javascript:alert(5)',
    picture: { hash: 'a'.repeat(64) },
  }
  const product = await addProduct(db, { ...texts, banner, slug: 'hostile', name: `Kite ${PAYLOADS.join(' ')}` })
  for (const review of PAYLOADS) await addReview(db, product.id, { name: SCRIPT, review })
  const { id: sellerId } = await addSeller(db, { id: 'long-shop', shopName: LONG_WORD, description: LONG_WORD })
  await addProduct(db, {
    sellerId,
    slug: 'long',
    name: LONG_WORD,
    brand: LONG_NAME,
    shopName: LONG_WORD,
    description: LONG_WORD,
    shippingPrices: { Kenya: 500 },
  })
  const sizes = [LONG_WORD, 'M'].map(size => ({ options: [['Size', size]] as [string, string][], stock: 1 }))
  await addProduct(db, { slug: 'long-sizes', variants: sizes })
  const kite = await addProduct(db, {
    slug: 'kite',
    name: 'طائرة ورقية 3 م',
    description: '<p>تطير عاليا (جدا).</p>',
  })
  await addReview(db, kite.id, { name: 'ليلى', review: 'جميلة!' })
})

test.describe.configure({ mode: 'default' })

test.describe('hostile and odd texts', { tag: ['@desktop', '@long'] }, () => {
  const stores = ['/stores', '/stores/x/long-shop', '/stores/x/hostile-shop']
  const products = ['hostile', 'long', 'long-sizes'].map(slug => `/product/details/${slug}`)
  for (const path of ['/', '/products', ...products, ...stores]) {
    test(`run nothing and break nothing on ${path}`, async ({ page, faults }) => {
      const isMissing = path.endsWith('hostile')
      if (isMissing) faults.expect(MISSING).expect(/status of 404/)
      const refusal =
        isMissing && page.waitForResponse(response => MISSING.test(`${response.status()} ${response.url()}`))
      await page.goto(path)
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      await refusal

      await expect(page.getByRole('contentinfo')).toBeVisible()
      expect(await page.locator(FOREIGN).count()).toBe(0)
      expect(await overflowing(page)).toEqual([])
      await page.setViewportSize(NARROWEST)
      expect(await overflowing(page)).toEqual([])
    })
  }

  test('do not overflow from the cart to the order details', async ({ page }) => {
    await page.setViewportSize(NARROWEST)
    const customer = await signUp(page)
    const shippingDetails = { ...ACCOUNT.shippingDetails, name: LONG_NAME, address: LONG_NAME }
    await saveAccount(page, customer, { currency: 'USD', shippingDetails })
    await fillCart(page, customer, { long: 1 })
    await page.goto('/cart')
    await expect(page.getByText('Ships to Kenya')).toBeVisible()
    expect(await overflowing(page)).toEqual([])
    await page.getByRole('button', { name: 'Proceed to checkout' }).click()
    await page.getByRole('checkbox', { name: 'Use my default shipping address' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: /^Deliver to/ })).toContainText(LONG_NAME)
    expect(await overflowing(page)).toEqual([])
    await page.getByRole('button', { name: 'Place Order' }).click()
    await expect(payButton(page)).toBeVisible()
    expect(await overflowing(page)).toEqual([])
    const order = new URL(page.url()).searchParams.get('order')
    await payWith(page, '4242 4242 4242 4242')
    await expect(page.getByRole('region', { name: /^Order PZ-/ })).toContainText(LONG_NAME)
    expect(await overflowing(page)).toEqual([])
    await page.goto(`/dashboard/order/details/${order}`)
    await expect(page.getByRole('heading', { name: /^Deliver to/ })).toContainText(LONG_NAME)
    expect(await overflowing(page)).toEqual([])
  })

  test('are shown exactly as written', async ({ page, faults }) => {
    faults.expect(MISSING).expect(/status of 404/)
    await page.goto('/product/details/hostile')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(SCRIPT)

    await page.getByRole('tab', { name: /^Reviews/ }).click()

    await expect(
      page.getByRole('tabpanel', { name: /^Reviews/ }).getByText('<img src=x onerror=alert(3)>'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Increase quantity' }).click()
    await expect(page.getByRole('status', { name: 'Quantity' })).toHaveText('2')
    const texts = await page.locator('script[type="application/ld+json"]').allTextContents()
    expect(texts.map(text => (JSON.parse(text) as Record<string, unknown>)['@type'])).toContain('Product')
  })

  test('are laid out right to left in their own script, while the page stays left to right', async ({ page }) => {
    await page.goto('/product/details/kite')

    await expect(page.locator('html')).toHaveCSS('direction', 'ltr')
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('direction', 'rtl')
    await expect(page.locator('.rich-text')).toHaveCSS('direction', 'rtl')
    await page.getByRole('tab', { name: /^Reviews/ }).click()
    await expect(page.getByText('جميلة!')).toHaveCSS('direction', 'rtl')
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
  })

  test('a search shows the typed text and runs no script', async ({ page }) => {
    for (const value of [SCRIPT, '"><img src=x onerror=alert(1)>', '%', '_', '🎧', "'; drop table products; --"]) {
      await page.goto(`/products/search?value=${encodeURIComponent(value)}`)

      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Results for “${value}”`)
      await expect(page.getByLabel('Search products')).toHaveValue(value)
    }
  })

  test('every kind of page has a CSP without inline scripts', async ({ request }) => {
    for (const path of ['/', '/products', '/product/details/long', '/stores', '/about-us', '/login', '/nothing']) {
      const headers = (await request.get(path)).headers()
      const policy = headers['content-security-policy'] ?? ''
      const scripts = policy.split(';').find(part => part.trim().startsWith('script-src')) ?? ''
      expect(scripts, path).toContain("'self'")
      expect(scripts, path).not.toMatch(/unsafe|\*/)
      expect(policy, path).toContain("frame-ancestors 'none'")
      expect(headers['x-content-type-options'], path).toBe('nosniff')
    }
  })
})
