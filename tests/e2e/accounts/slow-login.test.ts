import type { Page } from 'playwright/test'
import { holdBack } from '#tests/support/browser/calls.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { field, fill, submit } from '#tests/support/browser/forms.ts'
import { PAGE_AWAKE } from '#page-scripts/early/clicks.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { register } from '#tests/support/accounts/customer.ts'
import { gate } from '#tests/support/pages.ts'

const SCRIPTS = '**/_astro/*.js'

/** The names of the scripts that the page's form imports. */
async function scriptsOfForm(page: Page): Promise<Set<string>> {
  const html = await (await page.request.get('/login')).text()
  const found = new Set<string>()
  const waiting = [...html.matchAll(/(?:component|renderer)-url="\/_astro\/([^"]+)"/g)].map(([, name = '']) => name)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const script = await (await page.request.get(`/_astro/${name}`)).text()
    for (const [, part = ''] of script.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) waiting.push(part)
  }
  return found
}

test.describe('on a slow network', { tag: '@desktop' }, () => {
  test('a visitor reads why they log in, and sees at once that the click was taken', async ({ page, request }) => {
    const { email, password } = await register(request)
    await page.goto('/products')
    const toCart = page.getByRole('link', { name: /^Add .* to cart$/ }).first()
    const name = /^Add (.*) to cart$/.exec((await toCart.getAttribute('aria-label')) ?? '')?.[1] ?? ''
    await toCart.click()
    const reason = `Log in to add ${name} to your cart: it will be there when you return.`
    await expect(page.getByRole('main').getByText(reason)).toBeVisible()

    const { release } = await holdBack(page, SCRIPTS)
    await page.reload({ waitUntil: 'commit' })
    await fill(page, { Email: email, Password: password })
    await submit(page, 'Log in').click()

    await expect(submit(page, 'Log in')).toHaveAttribute('aria-busy', 'true')
    release()
    await expect(page).toHaveURL('/products')
    await expect(page.locator('[data-count="cart"]')).toHaveText('1')
  })

  test(
    'a visitor who adds a product on its page is at the login before the page’s scripts',
    { tag: '@long' },
    async ({ page, request }) => {
      const { email, password } = await register(request)
      const started = gate()
      await page.exposeFunction('noteStart', () => started.open())
      await page.addInitScript(`addEventListener('${PAGE_AWAKE}', () => noteStart())`)
      const { release: releaseScripts } = await holdBack(page, SCRIPTS)
      const { release: releaseLogin } = await holdBack(page, '**/login?*')
      await page.goto(PRODUCT, { waitUntil: 'commit' })
      const box = page.getByRole('form', { name: /^Buy/ })
      await box.getByRole('button', { name: 'Increase quantity' }).click()
      const asked = page.waitForRequest('**/login?*')

      await box.getByRole('button', { name: 'Add to cart' }).click({ noWaitAfter: true })
      await asked
      // The page's scripts start while the login is still loading.
      releaseScripts()
      await started.wait()
      releaseLogin()

      await expect(page).toHaveURL(`/login?next=${encodeURIComponent(PRODUCT)}`)
      const reason = 'Log in to add Elbe Over-Ear Headphones to your cart: it will be there when you return.'
      await expect(page.getByRole('main').getByText(reason)).toBeVisible()
      await fill(page, { Email: email, Password: password })
      await submit(page, 'Log in').click()
      await expect(page).toHaveURL(PRODUCT)
      await expect(page.locator('[data-count="cart"]')).toHaveText('2')
    },
  )

  test('a visitor who has chosen an option takes it to the login, too', { tag: '@long' }, async ({ page, request }) => {
    const { email, password } = await register(request)
    const { release } = await holdBack(page, SCRIPTS)
    await page.goto(PRODUCT, { waitUntil: 'commit' })
    const box = page.getByRole('form', { name: /^Buy/ })
    await box.locator('label').filter({ hasText: 'Sand' }).click()

    await box.getByRole('button', { name: 'Add to cart' }).click()

    await expect(box.getByRole('button', { name: 'Add to cart' })).toHaveAttribute('aria-busy', 'true')
    release()
    await expect(page).toHaveURL(/^[^?]+\/login\?next=/)
    await fill(page, { Email: email, Password: password })
    await submit(page, 'Log in').click()
    await expect(page.locator('[data-count="cart"]')).toHaveText('1')
    await page.goto('/cart')
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Elbe' })).toContainText('Sand')
  })

  test('the login waits only for its own scripts', { tag: '@long' }, async ({ page, request }) => {
    const { email, password } = await register(request)
    const own = await scriptsOfForm(page)
    const stalled: string[] = []
    await page.route(SCRIPTS, async route => {
      const name = new URL(route.request().url()).pathname.replace('/_astro/', '')
      if (own.has(name)) return route.continue()
      // Never answered.
      stalled.push(name)
      return undefined
    })

    await page.goto('/login', { waitUntil: 'commit' })
    await fill(page, { Email: email, Password: 'Wrong-Horse-8' })
    await field(page, 'Password').fill(password)
    await submit(page, 'Log in').click()

    await expect(page).toHaveURL('/')
    expect(stalled.length).toBeGreaterThan(0)
  })
})
