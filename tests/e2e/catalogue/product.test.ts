import { demoId } from '#server/operators/demo/rows.ts'
import { contrastAtEnd } from '#tests/support/browser/contrast.ts'
import { expect, hydrated, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const SELLER = demoId('shop', 'tonehaus')
const WITHOUT_OPTIONS = '/product/details/bellweather-stage-microphone'
const SOLD_OUT = '/product/details/minute-fader-two-channel-mixer'

test.describe('product page', () => {
  test(
    'shows the product, its shop and more from that shop, with structured data for search engines',
    { tag: '@desktop' },
    async ({ page }) => {
      await page.goto(PRODUCT)
      const main = page.getByRole('main')

      const steps = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
      await expect(steps).toHaveText(['Home', 'Audio', 'Elbe Over-Ear Headphones'])
      await expect(steps.nth(1).getByRole('link')).toHaveAttribute('href', '/products?category=Audio')
      await expect(main.getByRole('link', { name: 'Tonehaus', exact: true }).first()).toHaveAttribute('href', STORE)
      await expect(main.locator('[data-usd]').first()).toHaveText('$171')
      await expect(main.getByText('In Stock(28)')).toBeVisible()
      await expect(main.getByRole('img', { name: /^Rated [\d.]+ out of 5$/ }).first()).toBeVisible()
      await expect(main.getByText(/^Ships to/)).toBeVisible()

      const more = page.getByRole('complementary', { name: 'More from Tonehaus' })
      await expect(more.getByRole('listitem')).toHaveCount(4)
      await expect(more.getByRole('link', { name: 'Elbe Over-Ear Headphones' })).toHaveCount(0)
      await expect(more.getByRole('link', { name: 'Visit the shop' })).toHaveAttribute('href', STORE)

      const texts = await page.locator('script[type="application/ld+json"]').allTextContents()
      const things = texts.map(text => JSON.parse(text) as Record<string, unknown>)

      expect(new Set(things.map(thing => thing['@type']))).toEqual(new Set(['BreadcrumbList', 'ProductGroup']))
      const offers = { '@type': 'Offer', priceCurrency: 'USD', availability: 'https://schema.org/InStock' }
      expect(things.find(thing => thing['@type'] === 'ProductGroup')).toMatchObject({
        name: 'Elbe Over-Ear Headphones',
        aggregateRating: { '@type': 'AggregateRating' },
        hasVariant: ['Silver', 'Graphite', 'Sand'].map(color => ({ color, offers })),
      })
      await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${PRODUCT}$`))
      await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
        'content',
        /\/media\/[0-9a-f]{64}\/1280\.webp$/,
      )
    },
  )

  test('keeps the quantity between one and the stock', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(WITHOUT_OPTIONS)
    const box = page.getByRole('form', { name: /^Buy/ })
    const stock = Number((await box.getByText(/^In Stock/).innerText()).replace(/\D/g, ''))
    const more = box.getByRole('button', { name: 'Increase quantity' })
    const quantity = box.getByRole('status', { name: 'Quantity' })
    expect(stock).toBeLessThan(4)
    await expect(box.getByRole('button', { name: 'Decrease quantity' })).toBeDisabled()

    for (let count = 1; count < stock; count += 1) {
      await more.click()
      await expect(quantity).toHaveText(String(count + 1))
    }
    await more.click()

    await expect(page.getByText('Out of stock', { exact: true })).toBeVisible()
    await expect(quantity).toHaveText(String(stock))
    for (let count = stock; count > 1; count -= 1) await box.getByRole('button', { name: 'Decrease quantity' }).click()
    await expect(quantity).toHaveText('1')
    await expect(box.getByRole('button', { name: 'Decrease quantity' })).toBeDisabled()
  })

  test(
    'counts two clicks made before hydration; a thumbnail swaps the picture',
    { tag: '@phone' },
    async ({ page }) => {
      await page.goto(PRODUCT)
      const more = page.getByRole('button', { name: 'Increase quantity' })

      await more.evaluate((button: HTMLButtonElement) => {
        button.click()
        button.click()
      })

      await expect(page.getByRole('status', { name: 'Quantity' })).toHaveText('3')
      await hydrated(more)

      const picture = page.getByRole('img', { name: 'Elbe Over-Ear Headphones' })
      const before = await picture.evaluate((image: HTMLImageElement) => image.currentSrc)

      await page.getByRole('link', { name: 'View 2 of 5', exact: true }).click()

      const swapped = page.getByRole('img', { name: 'Elbe Over-Ear Headphones, view 2 of 5' })
      await expect(swapped).toBeVisible()
      await expect.poll(() => swapped.evaluate((image: HTMLImageElement) => image.currentSrc)).not.toBe(before)
      await expect(page.getByRole('link', { name: 'View 2 of 5', exact: true })).toHaveAttribute('aria-current', 'true')
      await expect(page).toHaveURL(PRODUCT)
    },
  )

  test('Buy Now passes on the quantity, Chat seller the shop', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(WITHOUT_OPTIONS)
    const box = page.getByRole('form', { name: /^Buy/ })
    const chat = `/login?next=${encodeURIComponent(`/dashboard/chat/${SELLER}?productId=${demoId('product', 'bellweather-stage-microphone')}`)}`
    await expect(box.getByRole('link', { name: 'Chat seller' })).toHaveAttribute('href', chat)

    await box.getByRole('button', { name: 'Increase quantity' }).click()
    await expect(box.getByRole('status', { name: 'Quantity' })).toHaveText('2')
    await box.getByRole('button', { name: 'Buy Now' }).click()

    await expect(page).toHaveURL(
      url => url.searchParams.get('next') === '/shipping?buy=bellweather-stage-microphone&quantity=2',
    )
  })

  test(
    'Copy Link copies the address and shows a message for a moment',
    { tag: '@desktop' },
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.clock.install()
      await page.goto(`${PRODUCT}?reviews=2`)
      await settled(page)
      await page.clock.pauseAt(Date.now() + 60_000)

      await page.getByRole('button', { name: 'Copy Link' }).click()

      const message = page.getByText('Copied to clipboard!')
      await expect(async () => {
        await page.clock.runFor(50)
        await expect(message).toBeVisible({ timeout: 100 })
      }).toPass()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(PRODUCT, page.url()).href)
      await page.clock.runFor(2500)
      await expect(message).toHaveCount(0)
    },
  )

  test('a sold-out product cannot be bought', { tag: '@phone' }, async ({ page }) => {
    await page.goto(SOLD_OUT)
    const box = page.getByRole('form', { name: /^Buy/ })

    await expect(box.getByText('Out of Stock', { exact: true })).toBeVisible()
    await expect(box.getByRole('button', { name: 'Add to cart' })).toBeDisabled()
    await expect(box.getByRole('button', { name: 'Buy Now' })).toHaveCount(0)
    await expect(box.getByRole('button', { name: 'Tell me when it is back' })).toBeEnabled()
    await expect(box.getByRole('button', { name: 'Add to wishlist' })).toBeEnabled()
  })

  test(
    'a cached page shows the current stock, also after it is restored by Back',
    { tag: '@desktop' },
    async ({ page }) => {
      let stock = 0
      await page.route('**/api/home/get-availability/*', route => route.fulfill({ json: { stock } }))

      await page.goto(WITHOUT_OPTIONS)

      const box = page.getByRole('form', { name: /^Buy/ })
      await expect(box.getByText('Out of Stock', { exact: true })).toBeVisible()
      await expect(box.getByRole('button', { name: 'Add to cart' })).toBeDisabled()
      await box.getByRole('button', { name: 'Increase quantity' }).click()
      await expect(page.getByText('Out of stock', { exact: true })).toBeVisible()

      stock = 3
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await expect(box.getByText('In Stock(3)')).toBeVisible()
      await expect(box.getByRole('button', { name: 'Add to cart' })).toBeEnabled()
    },
  )

  test(
    'shows description and reviews in two tabs, five reviews a page, and a login link to write one',
    { tag: '@phone' },
    async ({ page }) => {
      await page.goto(PRODUCT)
      await expect(page.getByRole('tabpanel', { name: 'Description' })).toContainText('Battery for about 38 hours')
      await expect(page.getByRole('tabpanel', { name: /^Reviews/ })).toBeHidden()

      await page.getByRole('tab', { name: /^Reviews/ }).click()

      await expect(page.getByRole('tabpanel', { name: /^Reviews/ })).toBeVisible()
      await expect(page.getByRole('tabpanel', { name: 'Description' })).toBeHidden()
      await expect(page).toHaveURL(`${PRODUCT}#reviews`)
      await page.reload()
      await expect(page.getByRole('tabpanel', { name: /^Reviews/ })).toBeVisible()

      const reviews = page.getByRole('group', { name: /^Reviews, page/ })
      await expect(reviews.locator('time')).toHaveCount(5)
      const first = reviews
        .getByRole('listitem')
        .filter({ has: page.locator('time') })
        .first()
      const newest = await first.innerText()

      await reviews.getByRole('link', { name: 'Page 2' }).click()
      await expect(page.getByRole('group', { name: 'Reviews, page 2' })).toBeFocused()
      await expect(page).toHaveURL(`${PRODUCT}?reviews=2#reviews`)
      await expect(first).not.toHaveText(newest, { useInnerText: true })
      await page.reload()
      await expect(page.getByRole('group', { name: 'Reviews, page 2' })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Login' }).click()

      await expect(page).toHaveURL(url => url.searchParams.get('next') === `${PRODUCT}?write#reviews`)
    },
  )

  test('related products slide, one, two or three at once', { tag: ['@desktop', '@long'] }, async ({ page }) => {
    const countByWidth = { 1280: 3, 565: 2, 564: 1 }
    for (const [width, count] of Object.entries(countByWidth)) {
      await page.setViewportSize({ width: Number(width), height: 900 })
      await page.goto(PRODUCT)
      const view = page.getByRole('group', { name: 'Related Products' }).getByRole('group', { name: 'Slides' })
      await view.scrollIntoViewIfNeeded()
      const shares = await view.evaluate(
        element => element.clientWidth / (element.querySelector('.carousel-slide')?.clientWidth ?? 1),
      )
      expect(Math.round(shares), `at ${width} px`).toBe(count)
    }
    const related = page.getByRole('group', { name: 'Related Products' })
    const current = related.locator('.carousel-bullet[aria-current]')
    // A test that comes too late for the slide sees it after all others.
    await expect(current).toHaveAccessibleName('Show slide 2 of 8', { timeout: 60_000 })
    await related.getByRole('button', { name: 'Pause' }).click()
    await related.getByRole('button', { name: 'Show slide 8 of 8' }).click()
    await expect(current).toHaveAccessibleName('Show slide 8 of 8')
  })

  test(
    'shows an error for actions that fail while offline, and carries them out once online',
    { tag: '@desktop' },
    async ({ page, context, faults }) => {
      faults.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module/)
      await page.goto(PRODUCT)
      await settled(page)
      const more = page.getByRole('button', { name: 'Increase quantity' })
      const footer = page.getByRole('contentinfo')
      await context.setOffline(true)

      await page.getByRole('button', { name: 'Add to cart', exact: true }).first().click()

      await expect(page.getByRole('alert')).toHaveText(/^You are offline/)
      await page.getByRole('alert').evaluateAll(notes => notes.forEach(note => note.remove()))
      await footer.getByRole('textbox', { name: 'Email' }).fill('ada@piazza.example')
      await footer.getByRole('button', { name: 'Subscribe' }).click()
      await expect(page.getByRole('alert')).toHaveText(/^You are offline/)
      await expect(page).toHaveURL(PRODUCT)
      await context.setOffline(false)
      await footer.getByRole('button', { name: 'Subscribe' }).click()
      await expect(page.getByText('Subscribed!')).toBeVisible()
      await more.click()
      await expect(page.getByRole('status', { name: 'Quantity' })).toHaveText('2')
    },
  )

  for (const [colorScheme, colour] of [
    ['light', '#000'],
    ['dark', '#fff'],
  ] as const) {
    test(
      `a shop’s banner is readable on a ${colour} picture in ${colorScheme} mode`,
      { tag: ['@desktop', '@long'] },
      async ({ page }) => {
        const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path fill="${colour}" d="M0 0h4v1H0"/></svg>`
        await page.route(/\/media\//, route => route.fulfill({ contentType: 'image/svg+xml', body }))
        await page.emulateMedia({ colorScheme })
        for (const width of [320, 640, 768, 1024, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          await page.goto(PRODUCT)
          const text = page.getByRole('main').getByText('Each instrument leaves us tuned')
          await text.scrollIntoViewIfNeeded()
          for (const picture of await text.locator('xpath=ancestor::*[.//img][1]//img').all()) {
            await picture.evaluate((element: HTMLImageElement) => element.decode())
          }

          expect(await contrastAtEnd(text), `at ${width} px`).toBeGreaterThan(4.5)
        }
      },
    )
  }

  test('an unknown product shows a message and links to the rest', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/^404 .*nothing-here/).expect(/status of 404/)

    await page.goto('/product/details/nothing-here')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Not Available')
    const main = page.getByRole('main')
    for (const path of ['/', '/products']) await expect(main.locator(`a[href="${path}"]`)).toBeVisible()
  })

  test('redirects an id to the address with the name', { tag: '@desktop' }, async ({ request }) => {
    const answer = await request.get(`/product/details/${demoId('product', 'elbe-over-ear-headphones')}`, {
      maxRedirects: 0,
    })

    expect(answer.status()).toBe(301)
    expect(answer.headers().location).toBe(PRODUCT)
  })
})
