import type { Page } from 'playwright/test'
import { holdBack } from '#tests/support/browser/calls.ts'
import { axe, expect, test } from '#tests/support/browser/e2e.ts'
import { recordLoads } from '#tests/support/browser/loads.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { settled } from '#tests/support/browser/settled.ts'

const NAME = 'Elbe Over-Ear Headphones'
const mainLink = (page: Page) => page.getByRole('link', { name: `${NAME} Enlarge` })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Enlarged picture' })
const picture = (page: Page) => dialog(page).getByRole('img')
const widthOf = async (page: Page) => (await picture(page).boundingBox())!.width

test('a picture is enlarged and left by keyboard alone', { tag: '@desktop' }, async ({ page }) => {
  const record = await recordLoads(page)
  await record.start()
  await page.goto(PRODUCT)
  await settled(page)
  expect(record.loads.filter(({ url }) => /zoom|swipe/.test(url))).toEqual([])

  await mainLink(page).focus()
  await page.keyboard.press('Enter')

  await expect(picture(page)).toHaveAccessibleName(`${NAME}, view 1 of 5`)
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeFocused()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await expect(picture(page)).toHaveAccessibleName(`${NAME}, view 2 of 5`)
  await expect(dialog(page).getByText('2 of 5')).toBeVisible()

  const whole = await widthOf(page)
  await page.keyboard.press('+')
  await expect.poll(() => widthOf(page)).toBeGreaterThan(whole)
  const left = (await picture(page).boundingBox())!.x
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await picture(page).boundingBox())!.x).toBeLessThan(left)
  await page.keyboard.press('0')
  await expect.poll(() => widthOf(page)).toBe(whole)

  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('[data-main]')).toBeFocused()
  await expect(page.getByRole('img', { name: `${NAME}, view 2 of 5` })).toBeVisible()
})

test('Back closes the enlarged picture, and then leads to the page before', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/products')
  await page.goto(PRODUCT)
  await page.evaluate(() => scrollTo(0, 60))
  await mainLink(page).click()
  await expect(picture(page)).toBeVisible()

  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(PRODUCT)

  await page.locator('[data-main]').click()
  await expect(picture(page)).toBeVisible()
  const top = await page.evaluate(() => scrollY)
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top)
  await page.goBack()
  await expect(page).toHaveURL('/products')
})

test('two quick clicks on a slow network enlarge the picture once', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/products')
  await page.goto(PRODUCT)
  await settled(page)
  const { reached, release } = await holdBack(page, /zoom[^/]*\.css/)

  await mainLink(page).dblclick()
  await reached
  release()

  await expect(picture(page)).toBeVisible()
  await expect(dialog(page)).toHaveCount(1)
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL('/products')
})

test('wheel and click enlarge the picture where the mouse is', { tag: '@desktop' }, async ({ page }) => {
  await page.goto(PRODUCT)
  await mainLink(page).click()
  await expect(picture(page)).toBeVisible()
  const whole = await widthOf(page)

  await page.mouse.move(400, 400)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => widthOf(page)).toBeGreaterThan(whole)
  await page.mouse.wheel(0, 4000)
  await expect.poll(() => widthOf(page)).toBe(whole)
  await page.mouse.click(400, 400)
  await expect.poll(() => widthOf(page)).toBeCloseTo(whole * 2.5)

  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toHaveCount(0)
})

test('fingers swipe through the pictures, pinch and tap twice', { tag: '@phone' }, async ({ page }) => {
  await page.goto(PRODUCT)
  // Only clicks are held until the page's script has loaded; a swipe would be lost.
  await settled(page)
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  const swipe = async (from: number, to: number, y: number) => {
    await send('touchStart', { x: from, y })
    for (let step = 1; step <= 4; step += 1) await send('touchMove', { x: from + ((to - from) * step) / 4, y })
    await send('touchEnd')
  }
  /** On a busy machine, the second tap would come too late without a time of its own. */
  const tapTwice = async () => {
    const second = Date.now() / 1000
    for (const timestamp of [second - 0.1, second]) {
      const touchPoints = [{ x: 195, y: 400 }]
      await touch.send('Input.dispatchTouchEvent', { timestamp, type: 'touchStart', touchPoints })
      await touch.send('Input.dispatchTouchEvent', { timestamp, type: 'touchEnd', touchPoints: [] })
    }
  }

  await swipe(300, 120, 280)
  await expect(page.getByRole('img', { name: `${NAME}, view 2 of 5` })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await swipe(120, 300, 280)
  await expect(page.getByRole('img', { name: `${NAME}, view 1 of 5` })).toBeVisible()
  const thumb = (number: number) => page.getByRole('link', { name: `View ${number} of 5`, exact: true })
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(thumb(5)).not.toBeInViewport()
  await swipe(120, 300, 280)
  await expect(thumb(5)).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await swipe(300, 120, 280)
  await expect(thumb(1)).toBeInViewport({ ratio: 1 })

  // The browser takes a tap right after a swipe for the end of the movement.
  await expect(async () => {
    // The enlarged picture would cover it.
    if (!(await picture(page).isVisible())) await page.locator('[data-main]').tap()
    await expect(picture(page)).toBeVisible({ timeout: 5000 })
  }).toPass()
  await swipe(300, 120, 400)
  await expect(picture(page)).toHaveAccessibleName(`${NAME}, view 2 of 5`)
  const whole = await widthOf(page)
  await tapTwice()
  await expect.poll(() => widthOf(page)).toBeCloseTo(whole * 2.5)
  await tapTwice()
  await expect.poll(() => widthOf(page)).toBe(whole)

  await send('touchStart', { x: 180, y: 400 }, { x: 210, y: 400 })
  for (const by of [30, 60, 90]) await send('touchMove', { x: 180 - by, y: 400 }, { x: 210 + by, y: 400 })
  await send('touchEnd')
  await expect.poll(() => widthOf(page)).toBeGreaterThan(whole * 1.5)
})

test.describe('without JavaScript', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false })

  test('the picture leads to itself in full size', async ({ page }) => {
    await page.goto(PRODUCT)

    await expect(mainLink(page)).toHaveAttribute('href', /\/media\/[0-9a-f]{64}\/1280\.webp$/)
  })
})
