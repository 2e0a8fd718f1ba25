import { expect, test } from '#tests/support/browser/e2e.ts'
import { PRODUCT, STORE } from '#tests/support/browser/page-kinds.ts'

test.use({ javaScriptEnabled: false })

test.describe('without JavaScript', () => {
  test('a shopper finds a product and reads all about it', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('group', { name: 'Categories' }).getByRole('link', { name: 'Clothing' }).click()
    await expect(page).toHaveURL('/products?category=Clothing')

    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: low to high')
    await page.getByRole('button', { name: 'Sort' }).click()
    await expect(page).toHaveURL(url => url.searchParams.get('sortPrice') === 'low-to-high')
    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect(page).toHaveURL(url => url.searchParams.get('pageNumber') === '2')
    await page.getByRole('article').first().getByRole('heading').getByRole('link').click()

    await expect(page).toHaveURL(/\/product\/details\//)
    await expect(page.getByText(/^In Stock\(|^Out of Stock$/).first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Description' })).toBeAttached()
    await expect(page.getByRole('region', { name: /^Reviews/ })).toBeVisible()
  })

  test('filters by rating and price', async ({ page, isMobile }) => {
    await page.goto('/products?category=Clothing')

    if (isMobile) await page.getByRole('button', { name: 'Filter items' }).click()
    await page.getByRole('radio', { name: '4 to 4.9 stars' }).check()
    await page.getByRole('spinbutton', { name: 'To' }).fill('60')
    await page.getByRole('button', { name: 'Apply filters' }).click()

    await expect(page).toHaveURL(
      url => url.searchParams.get('rating') === '4' && url.searchParams.get('highPrice') === '60',
    )
    await expect(
      page.getByRole('list', { name: 'Filters in use' }).getByRole('link', { name: '4 stars' }),
    ).toBeVisible()
  })

  test('pages through reviews, visits the shop and searches', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/product/details/elbe-over-ear-headphones')
    const secondPage = page.getByRole('navigation', { name: 'Pages of reviews' }).getByRole('link', { name: 'Page 2' })
    // Reviews are laid out once they are near. `click` would not notice that they move its target after it scrolled:
    // without JavaScript it cannot see what it hits.
    await secondPage.scrollIntoViewIfNeeded()
    await secondPage.click()
    await expect(page).toHaveURL(/\?reviews=2#reviews$/)
    await expect(page.getByRole('group', { name: 'Reviews, page 2' }).locator('time').first()).toBeVisible()

    const shop = page.getByRole('link', { name: 'Visit the shop' })
    await shop.scrollIntoViewIfNeeded()
    await shop.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tonehaus')
    await page.getByLabel('Search products').fill('lantern')
    await page.getByRole('button', { name: 'Search', exact: true }).click()

    await expect(page.getByRole('article').first()).toContainText('Lantern')
  })

  test('reads at once that the cart, the checkout and the payment need it', { tag: '@phone' }, async ({ page }) => {
    for (const [path, text] of [
      ['/cart', /The cart needs JavaScript/],
      ['/shipping', /The checkout needs JavaScript/],
      ['/payment', /Paying needs JavaScript/],
    ] as const) {
      await page.goto(path)
      await expect(page.getByText(text), path).toBeInViewport()
    }
  })

  test('filters by verified stores', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/stores')

    await page.getByRole('combobox', { name: 'Show' }).selectOption('Verified stores')
    await page.getByRole('main').getByRole('button', { name: 'Show' }).click()

    await expect(page.getByText('8 Stores', { exact: true })).toBeVisible()
  })

  for (const path of ['/', '/products', PRODUCT, STORE, '/stores', '/shipping', '/login'])
    test(`${path} shows no button that does nothing`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('contentinfo')).toBeVisible()

      const buttons = page.locator('button').filter({ visible: true })
      const idle = await buttons.evaluateAll(all =>
        (all as HTMLButtonElement[])
          .filter(({ type, form, formMethod, popoverTargetElement }) =>
            type === 'submit' ? !form || (formMethod || form.method) === 'dialog' : !popoverTargetElement,
          )
          .map(each => each.outerHTML.slice(0, 100)),
      )
      expect(idle).toEqual([])
    })
})
