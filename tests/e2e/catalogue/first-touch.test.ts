import { addToWishlist } from '#contract/wishlist.ts'
import { openConversation } from '#contract/chat.ts'
import { holdBack, routeOf } from '#tests/support/browser/calls.ts'
import { expect, hydrated, test } from '#tests/support/browser/e2e.ts'
import { applyButton } from '#tests/support/browser/listing.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'
import { signUp } from '#tests/support/accounts/customer.ts'

const BUY_BOX_CODE = /_astro\/BuyBox\..*js/
/** What only a touch loads. */
const TOUCH_CODE = /_astro\/(BuyBox|shopper)\..*js/
const REACT_CODE = /_astro\/client\..*js/
const SLIDER_CODE = /_astro\/price-slider\..*js/

test.describe('the first touch', { tag: '@phone' }, () => {
  test('changes the quantity and the heart before their code has loaded', async ({ page }) => {
    await signUp(page)
    const { release } = await holdBack(page, BUY_BOX_CODE)
    await page.goto(PRODUCT)
    await settled(page)
    const box = page.getByRole('form', { name: /^Buy/ })
    const quantity = box.getByRole('status', { name: 'Quantity' })
    const less = box.getByRole('button', { name: 'Decrease quantity' })
    const heart = box.getByRole('button', { name: 'Add to wishlist' })

    await box.getByRole('button', { name: 'Increase quantity' }).click()
    await box.getByRole('button', { name: 'Increase quantity' }).click()
    await expect(quantity).toHaveText('3')
    await less.click()
    await expect(quantity).toHaveText('2')
    await heart.click()
    await expect(heart).toHaveAttribute('data-saved')

    const saved = page.waitForResponse(routeOf(addToWishlist))
    release()
    expect((await saved).ok()).toBe(true)
    await hydrated(quantity)
    await expect(quantity).toHaveText('2')
    await expect(box.getByRole('button', { name: 'Remove from wishlist' })).toHaveAttribute('data-saved')
    await less.click()
    await expect(quantity).toHaveText('1')
    await expect(less).toBeDisabled()
  })

  test('empties the heart again if its code cannot load', async ({ page, faults }) => {
    faults.allow(/BuyBox|ERR_FAILED|dynamically imported module/)
    await signUp(page)
    await page.route(BUY_BOX_CODE, route => route.abort())
    await page.goto(PRODUCT)
    await settled(page)
    await page.context().setOffline(true)
    faults.allow(/ERR_INTERNET_DISCONNECTED/)
    const heart = page.locator('[data-wish]').first()

    await heart.click()

    await expect(page.getByRole('alert')).toHaveText(/^You are offline/)
    await expect(heart).not.toHaveAttribute('data-saved')
  })

  test('of a link loads nothing but the next page', async ({ page }) => {
    await page.goto(PRODUCT)
    await settled(page)
    const link = page.getByRole('form', { name: /^Buy/ }).getByRole('link', { name: 'Chat seller' })
    const code: string[] = []
    page.on('request', request => TOUCH_CODE.test(request.url()) && code.push(request.url()))

    await link.dispatchEvent('pointerdown')
    await link.focus()
    await settled(page)

    expect(code).toEqual([])
    await page.getByRole('button', { name: 'Increase quantity' }).dispatchEvent('pointerdown')
    await expect.poll(() => code.some(url => BUY_BOX_CODE.test(url))).toBe(true)
  })

  test('moves the price slider before its code has loaded', async ({ page }) => {
    const { release } = await holdBack(page, SLIDER_CODE)
    await page.goto('/products')
    await page.getByRole('button', { name: 'Filter items' }).click()
    const lowest = page.getByRole('slider', { name: 'Lowest price' })
    const asked = page.waitForRequest(SLIDER_CODE)
    await lowest.press('PageUp')
    const low = await lowest.inputValue()
    await asked

    await applyButton(page).click()
    release()

    await expect(page).toHaveURL(`/products?lowPrice=${low}`)
  })

  test('asks for a conversation while React loads, and only once', async ({ page }) => {
    await signUp(page)
    await page.goto(PRODUCT)
    const asked: string[] = []
    page.on('request', request => request.url().endsWith('/add-customer-friend') && asked.push(request.url()))
    const opened = page.waitForResponse(routeOf(openConversation))
    const { release } = await holdBack(page, REACT_CODE)

    await page.getByRole('link', { name: 'Chat seller' }).click()

    expect((await opened).ok()).toBe(true)
    await expect(page.getByRole('region', { name: 'Chat history' })).toHaveCount(0)
    release()
    await expect(page.getByRole('region', { name: 'Chat history' })).toBeVisible()
    await settled(page)
    expect(asked).toHaveLength(1)
  })
})
