import { expect, test } from '#tests/support/browser/e2e.ts'

test.describe('a search', () => {
  test(
    'names the correction that it made, and searches for what was typed when asked',
    { tag: '@desktop' },
    async ({ page }) => {
      await page.goto('/products/search?value=cofee+beans')

      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “cofee beans”')
      const note = page.getByText('Showing results for “coffee beans”. Search instead for “cofee beans”')
      await expect(note).toBeVisible()
      await expect(page.getByRole('article').first()).toContainText('Espresso Beans')
      await expect(page.getByRole('heading', { name: 'Related to “coffee beans”' })).toBeVisible()
      await note.getByRole('link', { name: '“cofee beans”' }).click()

      await expect(page).toHaveURL('/products/search?value=cofee+beans&literal=true')
      await expect(page.getByText('No products found.')).toBeVisible()
      await expect(page.getByText('Showing results for')).toHaveCount(0)
    },
  )

  test('shows what fits most of the words if nothing fits all, and says so', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products/search?value=lantern+skateboard')

    await expect(page.getByText('No product matches all of these words. These match most of them.')).toBeVisible()
    const names = await page.getByRole('article').getByRole('heading').allInnerTexts()
    expect(names.join()).toMatch(/lantern/i)
    expect(names.join()).toMatch(/skateboard/i)
  })

  test('for a colour finds the product in it', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products/search?value=blue+dress')

    await expect(page.getByRole('article').first()).toContainText('Tidewater Cotton Dress')
    await expect(page.getByText('No product matches')).toHaveCount(0)
    await expect(page.getByText('Few products match all of these words. The others here are similar.')).toBeVisible()
  })

  test('for help links the page that helps, whatever it finds', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products/search?value=where+is+my+order%3F')
    await expect(page.getByRole('main').getByRole('link', { name: 'your orders' })).toHaveAttribute(
      'href',
      '/dashboard/my-orders',
    )
    await page.goto('/products/search?value=contact')
    await expect(page.getByText('No products found.')).toBeVisible()
    await expect(page.getByRole('main').getByText('Write to us:')).toBeVisible()

    await page.goto('/products/search?value=returns')
    await page.getByRole('link', { name: 'how returns and refunds work' }).click()

    await expect(page).toHaveURL('/return-refund-policy')
  })

  test('shows what is similar if nothing fits the only word, and says so', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products/search?value=vase')

    await expect(page.getByText('No product matches this word. These are similar.')).toBeVisible()
    await expect(page.getByRole('article').first()).toContainText('Jug')
  })

  test('shows everything for a word that names no goods, and says so', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/products/search?value=women')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing found for “women”')
    await expect(page.getByText(/^\d+ products$/)).toHaveCount(0)
    await expect(page.getByText('No product matches. All products are shown instead.')).toBeVisible()
    await expect(page.getByText('These are similar')).toHaveCount(0)
  })

  test('says what costs more than the search names, and leaves it out when asked', async ({ page }) => {
    await page.goto('/products/search?value=cup+under+%2420')
    await expect(page.getByText('Some of these cost more than $20.')).toBeVisible()

    await page.getByRole('link', { name: 'Show only what costs $20 or less' }).click()

    await expect(page).toHaveURL(/highPrice=20/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “cup under $20”')
    await expect(page.getByText('Some of these cost more than $20.')).toHaveCount(0)
  })

  for (const [search, price] of [
    ['lamp under $30', '$30'],
    ['lambswool scarf under $37', '$37'],
  ] as const) {
    test(`says that nothing is as cheap as ‘${search}’ names`, { tag: '@desktop' }, async ({ page }) => {
      await page.goto(`/products/search?${new URLSearchParams({ value: search })}`)

      await expect(page.getByText(`Nothing here costs ${price} or less.`)).toBeVisible()
      await expect(page.getByRole('article').first()).toBeVisible()
    })
  }
})
