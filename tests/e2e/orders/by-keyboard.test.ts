import { expect } from '#tests/support/browser/e2e.ts'
import { field, submit } from '#tests/support/browser/forms.ts'
import { pressIn, tabTo, typeIn } from '#tests/support/browser/keyboard.ts'
import { payButton, paymentFrame } from '#tests/support/browser/ordering-pages.ts'
import { register } from '#tests/support/accounts/customer.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

const CARD = '4242 4242 4242 4242'

test(
  'a visitor gets from the home page to a paid order by keyboard alone',
  { tag: ['@desktop', '@long'] },
  async ({ page, request }) => {
    // Hundreds of keys, one after the other, take a busy machine long.
    test.setTimeout(300_000)
    const { email, password } = await register(request)
    const main = page.getByRole('main')
    await page.goto('/')

    await typeIn(page.getByLabel('Search products'), 'kite')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/products\/search\?.*value=kite/)
    await pressIn(main.getByRole('link', { name: 'Red kite', exact: true }), 'Enter')
    await expect(page).toHaveURL(productPage('kite'))
    await pressIn(submit(page, 'Add to cart'), 'Enter')
    await expect(page).toHaveURL(/\/login\?next=/)
    await typeIn(field(page, 'Email'), email)
    await typeIn(field(page, 'Password'), password)
    await page.keyboard.press('Enter')

    await expect(page).toHaveURL(productPage('kite'))
    const cart = page.getByRole('banner').getByRole('link', { name: 'Cart' })
    await expect(cart).toContainText('1')
    await pressIn(cart, 'Enter')
    await pressIn(submit(page, 'Proceed to checkout'), 'Enter')
    await expect(page).toHaveURL('/shipping')
    await typeIn(field(page, 'Country'), 'Kenya')
    await expect(field(page, 'Country')).toHaveValue('Kenya')
    await expect(field(page, 'Province')).toBeHidden()
    const address = {
      Name: 'Ada Lovelace',
      Address: '12 Analytical Lane',
      City: 'Nairobi',
      'Postal code': '00100',
      Phone: '+254 700 000000',
    }
    for (const [label, text] of Object.entries(address)) await typeIn(field(page, label), text)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Deliver to Ada Lovelace' })).toBeVisible()
    await pressIn(submit(page, 'Place Order'), 'Enter')

    await expect(page).toHaveURL(/\/payment\?order=/)
    await pressIn(payButton(page), 'Enter')
    await tabTo(paymentFrame(page).getByRole('textbox'))
    await page.keyboard.type(CARD)
    await page.keyboard.press('Enter')

    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { name: 'Thank you! Your order is paid' })).toBeFocused()
    await expect(page.getByRole('region', { name: /^Order PZ-/ })).toContainText('Red kite')
  },
)
