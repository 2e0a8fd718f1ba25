import type { Page } from 'playwright/test'
import { addReviewPictures, getOwnReview, submitReview } from '#contract/reviews.ts'
import { faultOf, routeOf } from '#tests/support/browser/calls.ts'
import { expect, expectAccessible, NARROWEST, overflowing } from '#tests/support/browser/e2e.ts'
import { fill, submit } from '#tests/support/browser/forms.ts'
import { photograph } from '#tests/support/uploads/chat-files.ts'
import { signUp } from '#tests/support/accounts/customer.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const PAGE = `${productPage('pictured')}#reviews`

const form = (page: Page) => page.getByRole('form', { name: 'Your review' })
const words = (page: Page) => form(page).getByLabel('Your review')
const picker = (page: Page) => form(page).getByLabel('Pictures (optional)')
const chosen = (page: Page) => form(page).getByRole('list', { name: 'Chosen pictures' }).getByRole('img')
const send = (page: Page) => form(page).getByRole('button', { name: /Submit review|Sending|Uploading/ })
const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photograph() })

async function write(page: Page, text: string): Promise<void> {
  await form(page)
    .locator('label')
    .filter({ has: page.getByLabel('4 stars') })
    .click()
  await words(page).fill(text)
}

test.describe('pictures of a review', () => {
  test(
    'are shown before they are sent; other files, too large and too many ones are not taken',
    { tag: '@long' },
    async ({ page, isMobile }) => {
      await signUp(page)
      await page.goto(PAGE)
      await write(page, 'See how it spins.')

      await picker(page).setInputFiles([
        await photo('one.jpg'),
        { ...(await photo('IMG_1.heic')), mimeType: 'image/heic' },
      ])
      await expect(picker(page)).toHaveAccessibleDescription(
        'IMG_1.heic cannot be shown. Pictures are JPG, PNG, WebP or GIF.',
      )
      await picker(page).setInputFiles([{ ...(await photo('large.jpg')), buffer: Buffer.alloc(26 * 1024 * 1024, 'x') }])
      await expect(picker(page)).toHaveAccessibleDescription('large.jpg is larger than 25 MB')
      await picker(page).setInputFiles([{ ...(await photo('notes.jpg')), buffer: Buffer.from('Dear diary') }])
      await expect(picker(page)).toHaveAccessibleDescription('notes.jpg is damaged, or not a picture')
      await expect(chosen(page)).toHaveCount(1)
      await picker(page).setInputFiles([await photo('two.jpg'), await photo('three.jpg'), await photo('four.jpg')])
      await expect(picker(page)).toHaveAccessibleDescription('At most 3 pictures')

      await expect(chosen(page)).toHaveCount(3)
      for (const name of ['one.jpg', 'two.jpg', 'three.jpg'])
        await expect(form(page).getByRole('img', { name })).toHaveJSProperty('naturalWidth', 40)
      await expectAccessible(page)
      if (!isMobile) return
      await page.setViewportSize(NARROWEST)
      expect(await overflowing(page)).toEqual([])
      await page.evaluate(() => (document.documentElement.dir = 'rtl'))
      expect(await overflowing(page)).toEqual([])
    },
  )

  test(
    'are chosen and removed with the keyboard, and their memory is freed',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      faults.expect(/^failed: blob:.*ERR_FILE_NOT_FOUND/).expect(/^error: .*ERR_FILE_NOT_FOUND/)
      await signUp(page)
      await page.goto(PAGE)
      await words(page).focus()
      await page.keyboard.press('Tab')
      await expect(picker(page)).toBeFocused()

      await picker(page).setInputFiles([await photo('one.jpg'), await photo('two.jpg')])
      await expect(chosen(page)).toHaveCount(2)
      const url = await form(page)
        .getByRole('img', { name: 'two.jpg' })
        .evaluate((image: HTMLImageElement) => image.src)
      await page.keyboard.press('Shift+Tab')
      await expect(form(page).getByRole('button', { name: 'Remove two.jpg' })).toBeFocused()
      await page.keyboard.press('Enter')

      await expect(form(page).getByRole('img', { name: 'one.jpg' })).toBeVisible()
      await expect(chosen(page)).toHaveCount(1)
      await expect(picker(page)).toBeFocused()
      const isGone = page.evaluate(
        address =>
          new Promise(resolve => {
            const image = new Image()
            image.addEventListener('load', () => resolve(false))
            image.addEventListener('error', () => resolve(true))
            image.src = address
          }),
        url,
      )
      expect(await isGone).toBe(true)
    },
  )

  test('say that they are being sent, and keep the review when the connection is lost', async ({
    page,
    context,
    isMobile,
    faults,
  }) => {
    faults.expect(/failed: .*review-pictures/).allow(/ERR_INTERNET_DISCONNECTED/)
    const name = isMobile ? 'Katherine Johnson' : 'Dorothy Vaughan'
    await signUp(page, name)
    await page.goto(PAGE)
    await write(page, `It spins, says ${name}.`)
    await picker(page).setInputFiles([await photo('one.jpg')])
    let reviewCount = 0
    page.on('request', request => void (reviewCount += Number(request.url().endsWith(submitReview.path))))
    const lost = Promise.withResolvers<void>()
    await page.route(
      routeOf(addReviewPictures),
      async route => {
        await lost.promise
        await route.abort('internetdisconnected')
      },
      { times: 1 },
    )

    await send(page).dblclick()

    await expect(send(page)).toHaveText('Uploading…')
    await expect(form(page).getByRole('status').filter({ hasText: 'Uploading your pictures…' })).toBeVisible()
    await expect(form(page).getByRole('progressbar', { name: 'Upload' })).toBeVisible()
    await expect(form(page).getByRole('button', { name: 'Remove one.jpg' })).toBeDisabled()
    await expect(words(page)).not.toBeEditable()
    // Playwright would wait with a click until it is enabled.
    await form(page).getByLabel('1 star').dispatchEvent('click')
    await expect(form(page).getByLabel('4 stars')).toBeChecked()
    expect(reviewCount).toBe(1)
    await context.setOffline(true)
    lost.resolve()
    const message = 'Your review is saved, but its pictures could not be sent. Please try again.'
    await expect(page.getByText(message)).toBeVisible()
    await expect(words(page)).toHaveValue(`It spins, says ${name}.`)
    await expect(chosen(page)).toHaveCount(1)

    await context.setOffline(false)
    await send(page).click()

    const picture = page.getByRole('group', { name: /^Reviews, page/ }).getByRole('img', { name: new RegExp(name) })
    await expect(picture).toHaveJSProperty('naturalWidth', 240)
    await expect(words(page)).toHaveValue('')
    await expect(chosen(page)).toHaveCount(0)
    expect(reviewCount).toBe(2)
  })

  test(
    'stay with a new text that is sent before the earlier review could be loaded',
    { tag: '@desktop' },
    async ({ page, faults }) => {
      faults.expect(faultOf(503, getOwnReview)).expect(/status of 503/)
      await signUp(page, 'Hedy Lamarr')
      const reviews = page.getByRole('group', { name: /^Reviews, page/ })
      const picture = reviews.getByRole('img', { name: /Hedy Lamarr/ })
      await page.goto(PAGE)
      await write(page, 'It spins.')
      await picker(page).setInputFiles([await photo('one.jpg')])
      await send(page).click()
      await expect(picture).toBeVisible()
      await page.route(routeOf(getOwnReview), route => route.fulfill({ status: 503, json: { error: 'Busy' } }), {
        times: 1,
      })
      await page.reload()
      await write(page, 'It hops.')

      await send(page).click()

      await expect(reviews.getByText('It hops.')).toBeVisible()
      await expect(picture).toBeVisible()
    },
  )

  test('lead to the login if the session has ended, which leads back to the review', async ({
    page,
    isMobile,
    faults,
  }) => {
    faults.expect(/^409 /).expect(/status of 409/)
    const customer = await signUp(page, isMobile ? 'Mary Jackson' : 'Annie Easley')
    await page.goto(PAGE)
    await write(page, 'It hums in tune.')
    await picker(page).setInputFiles([await photo('one.jpg')])
    const json = { error: 'Please login first', code: 'INVALID_TOKEN' }
    await page.route(routeOf(addReviewPictures), route => route.fulfill({ status: 409, json }), { times: 1 })

    await send(page).click()

    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(PAGE)}`)
    await fill(page, { Email: customer.email, Password: customer.password })
    await submit(page, 'Log in').click()
    await expect(page).toHaveURL(PAGE)
    await expect(words(page)).toHaveValue('It hums in tune.')
    await expect(form(page).getByText('You have already reviewed this product.')).toBeVisible()
  })
})
