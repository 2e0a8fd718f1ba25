import type { Page } from 'playwright/test'
import { getAvailability } from '#contract/catalogue.ts'
import { addToWishlist } from '#contract/wishlist.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { axe, expect, expectAccessible, measureShifts, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { toastOf } from '#tests/support/browser/forms.ts'
import { pressIn } from '#tests/support/browser/keyboard.ts'
import { paymentFrame, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { register, signUp } from '#tests/support/accounts/customer.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const SNEAKER = productPage('sneaker')
/** Without what is hidden. */
const INNER = { useInnerText: true }
const CARD = '4242 4242 4242 4242'

const box = (page: Page) => page.getByRole('form', { name: /^Buy/ })
const radio = (page: Page, name: string) => box(page).getByRole('radio', { name, exact: true })
const price = (page: Page) => page.locator('[data-price]').first()
const chosen = (page: Page) =>
  box(page)
    .getByRole('radio', { checked: true })
    .evaluateAll(radios => radios.map(each => (each as HTMLInputElement).value))

test.describe('choosing a size and a colour', () => {
  test('keeps the picture dimmed in the dark theme', { tag: '@desktop' }, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(SNEAKER)
    const picture = page.getByRole('img', { name: /^Canvas sneaker/ })
    const before = await picture.evaluate((image: HTMLImageElement) => image.src)
    await expect(picture).toHaveCSS('filter', 'brightness(0.86)')

    await radio(page, '44').check()

    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.src)).not.toBe(before)
    await expect(picture).toHaveCSS('filter', 'brightness(0.86)')
  })

  test('changes price, picture, stock and address at once, without a request', async ({ page }) => {
    const shifts = await measureShifts(page)
    await page.goto(SNEAKER)
    await expect(radio(page, '42')).toBeChecked()
    await expect(price(page)).toHaveText('$20', INNER)
    const announced = page.getByRole('main').getByRole('status').filter({ hasText: 'Price' })
    await expect(announced).toHaveCount(0)
    expect(await shifts()).toEqual({ sum: 0, moved: [] })
    const picture = page.getByRole('img', { name: /^Canvas sneaker/ })
    const before = await picture.evaluate((image: HTMLImageElement) => image.src)
    await settled(page)
    await radio(page, '43').check()
    await expect(price(page)).toContainText('$30')
    await expect(announced).toHaveText('Price: $30')
    await settled(page)
    const asked: string[] = []
    page.on('request', request => request.resourceType() !== 'image' && asked.push(request.url()))

    await radio(page, '44').check()

    await expect(price(page)).toHaveText('$30Before: $40-25%')
    await expect.poll(() => chosen(page)).toEqual(['44', 'Red'])
    await expect(page).toHaveURL(/sneaker\?variant=[\w-]+$/)
    await expect(page.getByRole('img', { name: 'Canvas sneaker, view 2 of 2' })).toBeVisible()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.src)).not.toBe(before)
    expect(asked).toEqual([])
    await page.reload()
    await expect.poll(() => chosen(page)).toEqual(['44', 'Red'])
    await expect(price(page)).toHaveText('$30Before: $40-25%')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.src)).not.toBe(before)
  })

  test('shows which choices are sold out or do not exist, and leads to the nearest available one', async ({ page }) => {
    await page.goto(SNEAKER)
    await radio(page, '43').check()

    await radio(page, 'Red (out of stock)').check()

    await expect(box(page).getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
    await expect(box(page).getByRole('button', { name: 'Tell me when it is back' })).toBeVisible()
    await radio(page, '44').check()
    await expect(box(page).getByRole('button', { name: 'Add to cart' })).toBeEnabled()

    await radio(page, 'Blue (not available)').check({ force: true })

    await expect.poll(() => chosen(page)).toEqual(['43', 'Blue'])
  })

  test('offers many sizes as a list', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(productPage('sandal'))
    const sizes = box(page).getByRole('combobox', { name: 'Size' })
    await expect(sizes).toHaveValue('35')

    await sizes.selectOption('38 (out of stock)')

    await expect(box(page).getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
    expect(await axe(page)).toEqual([])
  })

  test('shows the current stock of each', { tag: '@desktop' }, async ({ page }) => {
    await page.route(routeOf(getAvailability), async route => {
      const { variants, ...live } = (await (await route.fetch()).json()) as { variants: { _id: string }[] }
      const first = { ...variants[0], stock: 0 }
      await route.fulfill({ json: { ...live, variants: [first, ...variants.slice(1)] } })
    })
    await page.goto(SNEAKER)
    await expect(box(page).getByRole('button', { name: 'Out of Stock' })).toBeDisabled()

    await radio(page, '43').check()

    await expect(box(page).getByRole('button', { name: 'Add to cart' })).toBeEnabled()
    await expect(radio(page, '42 (out of stock)')).toBeVisible()
  })

  test('fits every window and is easy to tap, in the dark, with large letters and from right to left', async ({
    page,
  }) => {
    await page.goto(SNEAKER)
    await radio(page, '44').check()
    await expectAccessible(page)
    const sizes = await box(page)
      .getByRole('radio')
      .evaluateAll(radios =>
        radios.map(each => each.getBoundingClientRect()).map(({ width, height }) => ({ width, height })),
      )
    for (const { width, height } of sizes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    expect(await overflowing(page)).toEqual([])
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    expect(await overflowing(page)).toEqual([])
  })
})

test.describe('the address of a variant', { tag: '@desktop' }, () => {
  test('shows it; search engines get the clean address, and so does an unknown variant', async ({ page, request }) => {
    await page.goto(SNEAKER)
    await radio(page, '43').check()
    await expect(page).toHaveURL(/variant=/)
    const address = page.url()

    await page.goto('/stores')
    await page.goto(address)

    await expect.poll(() => chosen(page)).toEqual(['43', 'Blue'])
    await expect(price(page)).toHaveText('$30', INNER)
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${SNEAKER}$`))
    const unknown = await request.get(`${SNEAKER}?variant=nothing`, { maxRedirects: 0 })
    expect([unknown.status(), unknown.headers().location]).toEqual([302, SNEAKER])
  })

  test('of a sold-out one offers to tell when it is back, before anything is touched', async ({ page }) => {
    await page.goto(SNEAKER)
    await radio(page, '43').check()
    await radio(page, 'Red (out of stock)').check()
    await expect(page).toHaveURL(/variant=/)
    const address = page.url()

    await page.goto('/stores')
    await page.goto(address)

    await expect(box(page).getByRole('button', { name: 'Tell me when it is back' })).toBeVisible()
    await expect(box(page).getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
  })

  test('keeps the choice for Back, and each tab its own', async ({ page, context }) => {
    await page.goto(SNEAKER)
    await radio(page, '43').check()
    await expect(page).toHaveURL(/variant=/)
    const other = await context.newPage()
    await other.goto(SNEAKER)
    await radio(other, '44').check()

    await page.getByRole('main').getByRole('link', { name: 'Soft Soles' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Soft Soles')
    await page.goBack()

    await expect.poll(() => chosen(page)).toEqual(['43', 'Blue'])
    await expect.poll(() => chosen(other)).toEqual(['44', 'Red'])
  })
})

test(
  'a customer buys size 43 by keyboard alone, from the shoe to the paid order',
  { tag: ['@phone', '@long'] },
  async ({ page }) => {
    await signUpInKenya(page)
    await page.goto(SNEAKER)
    const main = page.getByRole('main')

    await pressIn(radio(page, '42'), 'ArrowRight')
    await expect(radio(page, '43')).toBeChecked()
    await pressIn(box(page).getByRole('button', { name: 'Buy Now' }), 'Enter')
    await expect(page).toHaveURL(/\/shipping\?buy=sneaker&variant=[\w-]+&quantity=1$/)
    await expect(main.getByRole('listitem', { name: 'Canvas sneaker (Size 43, Blue)' })).toContainText('Size 43, Blue')
    await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Nairobi')
    await pressIn(page.getByRole('button', { name: 'Continue' }), 'Enter')
    await expect(page.getByRole('heading', { name: 'Deliver to Ada Lovelace' })).toBeVisible()
    await pressIn(page.getByRole('button', { name: 'Place Order' }), 'Enter')
    await expect(page).toHaveURL(/\/payment\?order=/)
    await expect(main).toContainText('Size 43, Blue')
    const orderId = new URL(page.url()).searchParams.get('order')
    await pressIn(main.getByRole('button', { name: /^Pay \$35/ }), 'Enter')
    const number = paymentFrame(page).getByRole('textbox')
    await number.pressSequentially(CARD)
    await number.press('Enter')

    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { name: 'Thank you! Your order is paid' })).toBeVisible()
    await page.goto(`/dashboard/order/details/${orderId}`)
    const bought = page.getByRole('listitem', { name: 'Canvas sneaker (Size 43, Blue)' })
    await expect(bought).not.toContainText('SKU')
  },
)

test('a visitor’s choice survives the login', { tag: '@desktop' }, async ({ page, request }) => {
  const { email, password } = await register(request)
  await page.goto(SNEAKER)
  await radio(page, '43').check()
  await box(page).getByRole('button', { name: 'Add to cart' }).click()
  await expect(page).toHaveURL(url => url.pathname === '/login')
  await page.getByRole('textbox', { name: 'Email' }).first().fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()

  await expect(toastOf(page, 'Added to cart')).toBeVisible()
  await page.goto('/cart')
  await expect(page.getByRole('listitem', { name: 'Canvas sneaker (Size 43, Blue)' })).toBeVisible()
})

test.describe('cards of products with options', () => {
  test('tell the lowest price and the number of colours, and lead to the choice', async ({ page }) => {
    await signUp(page)
    await page.goto('/products?category=Shoes')
    const card = page.getByRole('article').filter({ hasText: 'Canvas sneaker' })
    await expect(card).toContainText('2 colours')
    await expect(card).toContainText(/from\s*\$20/)
    await expect(page.getByRole('article').filter({ hasText: 'Leather sandal' })).not.toContainText(/from|colour/)

    // The heart answers before the product is stored.
    const stored = page.waitForResponse(routeOf(addToWishlist))
    await card.getByRole('link', { name: 'Add Canvas sneaker to wishlist' }).click()
    await stored
    await card.getByRole('link', { name: 'Choose options of Canvas sneaker' }).click()
    await expect(page).toHaveURL(SNEAKER)
    await page.goto('/dashboard/my-wishlist')
    await expect(page.getByRole('article')).toContainText(/from\s*\$20/)
    await page.getByRole('link', { name: /^Choose options/ }).click()
    await expect(page).toHaveURL(SNEAKER)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a size can be chosen and bought up to the login, which keeps it', { tag: '@phone' }, async ({ page }) => {
    for (const [button, next] of [
      ['Add to cart', /^\/product\/details\/sneaker\?variant=[\w-]+$/],
      ['Buy Now', /^\/shipping\?buy=sneaker&variant=[\w-]+&quantity=1$/],
    ] as const) {
      await page.goto(SNEAKER)
      await radio(page, '43').check()

      await box(page).getByRole('button', { name: button }).click()

      await expect(page).toHaveURL(url => url.pathname === '/login' && next.test(url.searchParams.get('next') ?? ''))
    }
    await page.goBack()
    await radio(page, '43').check()
    await box(page).getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(url => url.pathname === '/login')
    await page.goto(new URL(page.url()).searchParams.get('next')!)
    await expect.poll(() => chosen(page)).toEqual(['43', 'Blue'])
  })

  test('a choice can be shown, and one that cannot be bought says why', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(SNEAKER)
    await radio(page, '43').check()
    await box(page).getByRole('button', { name: 'Show this choice' }).click()
    await expect(price(page)).toHaveText('$30', INNER)
    await radio(page, 'Red (out of stock)').check()

    await box(page).getByRole('button', { name: 'Add to cart' }).click()

    await expect(page).toHaveURL(/sneaker\?variant=/)
    await radio(page, 'Blue').check()
    await box(page).getByRole('button', { name: 'Out of Stock' }).click()
    await expect(page).toHaveURL(url => url.pathname === '/login')
    await page.goBack()
    await radio(page, '42').check()
    await box(page).getByRole('button', { name: 'Show this choice' }).click()
    // There is no red one in 42.
    await expect.poll(() => chosen(page)).toEqual(['42', 'Blue'])
  })
})
