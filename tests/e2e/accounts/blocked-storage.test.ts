import { login } from '#contract/auth.ts'
import { expect, test } from '#tests/support/browser/e2e.ts'
import { routeOf } from '#tests/support/browser/calls.ts'
import { fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { register } from '#tests/support/accounts/customer.ts'

/** Run in a page before its own scripts. */
const BLOCKED =
  "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })"
const FULL = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"

test.describe('a login', { tag: '@desktop' }, () => {
  for (const [state, script] of Object.entries({ blocked: BLOCKED, full: FULL }))
    test(`says that it cannot be kept when the browser’s storage is ${state}`, async ({ page, request }) => {
      const { email, password } = await register(request)
      await page.addInitScript(script)
      await page.goto('/login')
      await fill(page, { Email: email, Password: password })

      await submit(page, 'Log in').click()

      await expect(toastOf(page, 'Your browser cannot keep you logged in')).toBeVisible()
      await expect(page).toHaveURL('/login')
      await expect(submit(page, 'Log in')).not.toHaveAttribute('aria-busy', 'true')
      const again = page.waitForResponse(routeOf(login))
      await submit(page, 'Log in').click()
      expect((await again).status()).toBe(201)
    })
})
