import type { Page } from 'playwright/test'
import { signUp } from '#tests/support/accounts/customer.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { axe, expect, expectAccessible, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { productPage, REVIEWED } from '#tests/support/provider/toy-market.ts'
import { holdBack } from '#tests/support/browser/calls.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const PAGE = productPage('well-known')

const form = (page: Page) => page.getByRole('form', { name: 'Your review' })
const list = (page: Page) => page.getByRole('group', { name: /^Reviews, page/ })
const toast = (page: Page, text: string | RegExp) => page.locator('[data-sonner-toast]').getByText(text)
/** The radio inputs are hidden behind the visible stars. */
const star = (page: Page, name: string) =>
  form(page)
    .locator('label')
    .filter({ has: page.getByLabel(name) })

const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photograph() })

test.describe('reviews', () => {
  test('appear at once after submitting, with the new rating and data', async ({ page, isMobile }, { retry }) => {
    const path = productPage(REVIEWED[isMobile ? 'phone' : 'desktop'][retry]!)
    await signUp(page, 'Grace Hopper')
    await page.goto(`${path}#reviews`)
    await star(page, '4 stars').click()
    await form(page).getByLabel('Your review').fill('Flies <b>well</b>.\nTwice.')

    await form(page).getByRole('button', { name: 'Submit review' }).click()

    await expect(toast(page, 'Thank you for your review')).toBeVisible()
    await expect(list(page)).toContainText('Grace Hopper')
    await expect(list(page)).toContainText('Flies <b>well</b>.')
    await expect(page.getByRole('tab', { name: 'Reviews (1)' })).toBeVisible()
    await expect(form(page).getByLabel('Your review')).toHaveValue('')
    const html = await (await page.request.get(path)).text()
    expect(html).toContain('"ratingValue":4')
    expect(html).toContain('Grace Hopper')

    await form(page).getByRole('button', { name: 'Edit my review' }).click()
    await expect(form(page).getByLabel('Your review')).toHaveValue('Flies <b>well</b>.\nTwice.')
    await expect(form(page).getByLabel('Your review')).toBeFocused()
    await form(page).getByRole('radio', { name: '2 stars' }).press('Space')
    await form(page).getByLabel('Your review').fill('It broke.')
    await form(page).getByRole('button', { name: 'Submit review' }).click()
    await expect(list(page)).toContainText('It broke.')
    await expect(page.getByRole('tab', { name: 'Reviews (1)' })).toBeVisible()
    await expect(list(page).getByRole('img', { name: 'Rated 2 out of 5' })).toBeVisible()
  })

  test('have pictures, which can be enlarged, kept and removed', async ({ page, isMobile }) => {
    await signUp(page, 'Ada Lovelace')
    await page.goto(`${productPage(isMobile ? 'kite' : 'sandal')}#reviews`)
    await star(page, '5 stars').click()
    await form(page).getByLabel('Your review').fill('See how it flies.')
    const picker = form(page).getByLabel('Pictures (optional)')
    await picker.setInputFiles([await photo('one.jpg'), await photo('two.jpg')])
    await form(page).getByRole('button', { name: 'Submit review' }).click()

    const hers = list(page).getByRole('listitem').filter({ hasText: 'See how it flies.' }).first()
    const shown = hers.getByRole('link', { name: /^Picture \d of Ada Lovelace’s review$/ })
    await expect(shown).toHaveCount(2)
    // A new visit shows no fading toast, whose colours axe would reject. Its address is that of an advertisement.
    await page.goto(`${productPage(isMobile ? 'kite' : 'sandal')}?utm_source=mail#reviews`)
    await expect(shown).toHaveCount(2)
    expect(await axe(page)).toEqual([])
    await shown.nth(1).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Enlarged picture' })
    await expect(dialog.getByText('2 of 2')).toBeVisible()
    await expect(dialog.getByRole('img')).toHaveJSProperty('complete', true)
    await page.keyboard.press('Escape')
    await expect(shown.nth(1)).toBeFocused()

    await form(page).getByRole('button', { name: 'Edit my review' }).click()
    await page.reload()
    await form(page).getByRole('button', { name: 'Remove picture 1' }).click()
    await page.setViewportSize(NARROWEST)
    expect(await overflowing(page)).toEqual([])
    await form(page).getByRole('button', { name: 'Submit review' }).click()
    await expect(shown).toHaveCount(1)
  })

  test('are filtered by stars, sorted and paged in place, with the keyboard too', async ({ page }) => {
    await page.goto(`${PAGE}#reviews`)
    const panel = page.getByRole('tabpanel')
    await expect(list(page)).toContainText('Review number 5')

    await panel.getByRole('link', { name: /^4 stars: 6/ }).press('Enter')
    await expect(list(page)).toBeFocused()
    await expect(list(page)).toHaveAccessibleName('Reviews, page 1, with 4 stars')
    await expect(panel.getByText('Reviews with 4 stars: 6 of 6.')).toBeVisible()
    await expect(panel.getByRole('link', { name: /^4 stars/ })).toHaveAttribute('aria-current', 'true')
    await panel.getByRole('link', { name: 'Lowest' }).click()
    await expect(panel.getByRole('link', { name: 'Lowest' })).toHaveAttribute('aria-current', 'true')
    await panel.getByRole('link', { name: 'Page 2' }).click()
    await expect(list(page)).toContainText('Review number 0')
    await expect(page).toHaveURL(`${PAGE}?reviews=2&reviewSort=lowest&stars=4#reviews`)
    expect(await axe(page)).toEqual([])

    await page.reload()
    await expect(list(page)).toContainText('Review number 0')
    // Back returns to the page of reviews before, also after the reload.
    await page.goBack()
    await expect(list(page)).toHaveAccessibleName('Reviews, page 1, with 4 stars')
    await expect(page).toHaveURL(`${PAGE}?reviewSort=lowest&stars=4#reviews`)
    await page.goForward()
    await expect(list(page)).toContainText('Review number 0')
    await panel.getByRole('link', { name: 'Show all reviews' }).click()
    await expect(page).toHaveURL(`${PAGE}?reviewSort=lowest#reviews`)
    await expect(list(page)).toHaveAccessibleName('Reviews, page 1')
  })

  test('follow Back after a reload, even before the page has its scripts', { tag: '@phone' }, async ({ page }) => {
    await page.goto(`${PAGE}#reviews`)
    await page.getByRole('tabpanel').getByRole('link', { name: 'Page 2' }).click()
    await expect(list(page)).toHaveAccessibleName('Reviews, page 2')
    const scripts = await holdBack(page, '**/_astro/*.js')

    await page.reload({ waitUntil: 'commit' })
    await scripts.reached
    await expect(list(page)).toHaveAccessibleName('Reviews, page 2')
    await page.evaluate(() => history.back())
    await expect(page).toHaveURL(`${PAGE}#reviews`)
    scripts.release()

    await expect(list(page)).toHaveAccessibleName('Reviews, page 1')
  })

  test('link a visitor to the login, which leads back to their form', { tag: '@desktop' }, async ({ page }) => {
    await page.goto(`${PAGE}#reviews`)

    await page.getByRole('tabpanel').getByRole('link', { name: 'Login' }).click()

    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(`${PAGE}?write#reviews`)}`)
  })

  test('need a rating and a text', { tag: '@phone' }, async ({ page }) => {
    await signUp(page)
    await page.goto(`${PAGE}#reviews`)

    await form(page).getByRole('button', { name: 'Submit review' }).click()

    await expect(toast(page, 'Please choose a rating from 1 to 5 stars')).toBeVisible()
    await expect(form(page).getByText('Please choose a rating from 1 to 5 stars')).toBeVisible()
    await expect(form(page).getByLabel('Your review')).toHaveAccessibleDescription('Review is required')
    await expect(form(page).getByLabel('1 star', { exact: true })).toBeFocused()
    const filled = () =>
      form(page)
        .getByRole('group', { name: 'Your rating' })
        .locator('svg')
        .evaluateAll(stars => stars.map(star => getComputedStyle(star).fill !== 'none'))
    expect(await filled()).toEqual([false, false, false, false, false])
    await page.keyboard.press('ArrowRight')
    await form(page).getByRole('button', { name: 'Submit review' }).click()
    await expect(form(page).getByLabel('2 stars')).toBeChecked()
    expect(await filled()).toEqual([true, true, false, false, false])
    await expect(form(page).getByLabel('Your review')).toBeFocused()
    // A toast covers a part of the shop's link, which axe would find too small.
    await expect(toast(page, 'Review is required')).toBeHidden()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    expect(await overflowing(page)).toEqual([])
  })

  test('keep the typed text when the marketplace cannot be reached', { tag: '@desktop' }, async ({ page, faults }) => {
    faults.expect(/failed: .*submit-review/).expect(/ERR_FAILED/)
    await signUp(page)
    await page.goto(`${productPage('glider')}#reviews`)
    await page.route('**/submit-review', route => route.abort())
    await star(page, '5 stars').click()
    await form(page).getByLabel('Your review').fill('Spins for hours.')

    await form(page).getByRole('button', { name: 'Submit review' }).click()

    await expect(toast(page, 'The marketplace cannot be reached right now')).toBeVisible()
    await expect(form(page).getByLabel('Your review')).toHaveValue('Spins for hours.')
    await page.unroute('**/submit-review')
    await form(page).getByRole('button', { name: 'Submit review' }).click()
    await expect(list(page)).toContainText('Spins for hours.')
  })
})
