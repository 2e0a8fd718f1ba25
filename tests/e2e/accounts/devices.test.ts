import type { Page } from 'playwright/test'
import { signUp } from '#tests/support/accounts/customer.ts'
import { axe, expect, overflowing } from '#tests/support/browser/e2e.ts'
import { fill, submit, toastOf } from '#tests/support/browser/forms.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'

const devices = (page: Page) => page.getByRole('region', { name: 'Your devices' })

test(
  'a customer logs out a phone that they have lost',
  { tag: ['@phone', '@long'] },
  async ({ page, browser, shop }) => {
    const { email, password } = await signUp(page)
    const elsewhere = await browser.newContext({ baseURL: shop.url, userAgent: IPHONE })
    const phone = await elsewhere.newPage()
    await phone.goto('/login?next=/dashboard/account')
    await fill(phone, { Email: email, Password: password })
    await submit(phone, 'Log in').click()
    await expect(devices(phone).getByText('Safari on iPhone')).toBeVisible()

    await page.goto('/dashboard/account')
    await expect(devices(page).getByRole('listitem')).toHaveCount(2)
    await expect(devices(page).getByRole('listitem').first()).toContainText('This device')
    expect(await axe(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axe(page, { onlyColours: true })).toEqual([])
    await devices(page).getByRole('button', { name: 'Log out Safari on iPhone' }).click()

    await expect(toastOf(page, 'That device is logged out')).toBeVisible()
    await expect(devices(page).getByRole('listitem')).toHaveCount(1)
    await expect(devices(page).getByRole('button')).toHaveCount(0)
    await phone.reload()
    await expect(phone).toHaveURL(/\/login/)
    await elsewhere.close()
  },
)
