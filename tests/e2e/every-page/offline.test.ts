import * as contract from '#contract/auth.ts'
import { apiOf, idOf } from '#tests/support/browser/calls.ts'
import { expect, hydrated } from '#tests/support/browser/e2e.ts'
import { button, clicks, OFFLINE, test } from '#tests/support/browser/offline.ts'
import { fillBook, fillCart, orderKite } from '#tests/support/browser/ordering-pages.ts'
import { register } from '#tests/support/accounts/customer.ts'
import { market } from '#tests/support/provider/market.ts'
import { productPage } from '#tests/support/provider/toy-market.ts'

test.describe('offline, every button that sends something says so:', { tag: '@desktop' }, () => {
  test('in the cart', async ({ page, customer, expectMessages }) => {
    await orderKite(page, customer)
    await fillCart(page, customer, { kite: 2, wagon: 1, ball: 1 })
    const api = apiOf(page, customer.token)
    const userId = idOf(customer.token)
    const { product } = await api.getProduct({ id: 'sneaker' })
    await api.addToCart({ userId, productId: product._id, variantId: product.variants[0]!._id, quantity: 1 })
    const { groups } = await api.getCart({ userId })
    const lineOf = (name: string) =>
      groups.flatMap(({ products }) => products).find(each => each.product.name === name)!
    await api.saveForLater({ lineId: lineOf('Wooden wagon')._id })
    const sold = lineOf('Blue ball')
    await page.route('**/get-card-product/*', async route => {
      const answer = await route.fetch()
      const text = (await answer.text()).replace(new RegExp(`("_id":"${sold.product._id}".*?"stock":)\\d+`), '$10')
      const cart = JSON.parse(text) as {
        card_products: { products: { _id: string }[] }[]
        outOfStockProduct: unknown[]
      }
      for (const group of cart.card_products) {
        cart.outOfStockProduct.push(...group.products.filter(({ _id }) => _id === sold._id))
        group.products = group.products.filter(({ _id }) => _id !== sold._id)
      }
      await route.fulfill({ json: cart })
    })
    await page.goto('/cart')
    const change = button(page, /^Change Canvas sneaker/)
    await change.click()
    const variants = page.getByRole('group', { name: 'Variant of Canvas sneaker' })
    const other = product.variants.find(({ stock }, at) => at > 0 && stock > 0)!
    const quantity = page.getByRole('spinbutton', { name: 'Quantity of Red kite' })

    await expectMessages([
      ...clicks(page, 'Save for later: Red kite', 'Remove Red kite', 'Increase quantity of Red kite'),
      ...clicks(page, 'Decrease quantity of Red kite', 'Move to wishlist: Blue ball', 'Remove Blue ball', 'Remove all'),
      ...clicks(page, 'Move to cart: Wooden wagon', 'Remove Wooden wagon', 'Put back into the cart'),
      ['a typed quantity', () => quantity.fill('5').then(() => quantity.press('Enter'))],
      ['another variant', () => variants.getByRole('combobox').selectOption(other._id)],
      ['Pay', () => page.getByRole('link', { name: 'Pay', exact: true }).click()],
      ...clicks(page, 'Proceed to checkout'),
    ])

    await expect(page).toHaveURL('/cart')
    await expect(quantity).toHaveValue('2')
    await expect(change).toBeVisible()
    for (const region of ['Saved for later 1', 'Out of stock 1', 'Orders to pay'])
      await expect(page.getByRole('region', { name: region })).toBeVisible()
    // Back online, the page loads its cart again, while the test ends.
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('on the wishlist and on the notifications', async ({ page, shop, customer, expectMessages }) => {
    await market(shop, 'notify', 'Your parcel waits', 'All of it.', '--to', customer.email)
    await page.goto(productPage('kite'))
    await button(page, 'Add to wishlist').first().click()
    await expect(page.getByText('Added to wishlist').first()).toBeVisible()
    await page.goto('/dashboard/my-wishlist')
    const item = page.getByRole('main').getByRole('article')
    await expectMessages([
      ...clicks(item, 'Remove Red kite from wishlist'),
      ['Add to cart', () => button(item, /^Add to cart/).click()],
    ])
    await item.getByRole('button', { name: /^Tell me/ }).click()
    const price = page.getByRole('dialog')
    await price.getByLabel(/^Price in/).fill('7')
    await expectMessages(clicks(price, 'Tell me'))
    await expect(price.getByRole('alert')).toHaveText(OFFLINE)
    await expect(price.getByLabel(/^Price in/)).toHaveValue('7')

    await page.goto('/dashboard/notifications')
    await expect(button(page, /^Mark as read/)).toBeVisible()
    await expectMessages([['Mark as read', () => button(page, /^Mark as read/).click()], ...clicks(page, 'Refresh')])
  })

  test('in the checkout and at the payment', async ({ page, customer, expectMessages }) => {
    await fillCart(page, customer, { kite: 1 })
    await page.goto('/shipping')
    await button(page, 'Continue').click()
    await expectMessages(clicks(page, 'Place Order'))
    await button(page, 'Place Order').click()
    await expect(page).toHaveURL(/\/payment\?order=/)
    await expectMessages([
      [
        'Pay',
        () =>
          page
            .getByRole('main')
            .getByRole('button', { name: /^Pay \$/ })
            .click(),
      ],
    ])
  })

  test('when a price has risen', async ({ page, shop, customer, expectMessages }) => {
    await market(shop, 'product', 'set', 'rattle', 'price=7')
    await fillCart(page, customer, { rattle: 1 })
    await market(shop, 'product', 'set', 'rattle', 'price=8.50')
    await page.goto('/shipping')
    await button(page, 'Continue').click()
    await button(page, 'Place Order').click()
    const dialog = page.getByRole('dialog')
    await expectMessages(clicks(dialog, 'Accept and place order'))
    await expect(dialog.getByRole('alert')).toHaveText(OFFLINE)

    await page.goto('/cart')
    await button(page, 'Proceed to checkout').click()
    await expectMessages(clicks(dialog, 'Accept and continue'))
    // A screen reader cannot reach a message behind an open dialog.
    await expect(dialog).toBeHidden()
  })

  test('on a product', async ({ page, customer, expectMessages }) => {
    expect(customer.name).toBe('Ada Lovelace')
    await page.goto(`${productPage('well-known')}#reviews`)
    const form = page.getByRole('form', { name: 'Your review' })
    await form.getByLabel('Your review').fill('It flies.')
    await form
      .locator('label')
      .filter({ has: page.getByLabel('4 stars') })
      .click()
    const buy = page.getByRole('form', { name: /^Buy/ })
    await button(buy, 'Increase quantity').click()

    await expectMessages([
      ...clicks(form, 'Submit review'),
      [
        'Helpful',
        () =>
          button(page, /^Helpful/)
            .first()
            .click(),
      ],
      [
        'Report',
        () =>
          button(page, /^Report/)
            .first()
            .click(),
      ],
      ...clicks(buy, 'Add to cart', 'Add to wishlist', 'Buy Now'),
    ])

    await expect(form.getByLabel('Your review')).toHaveValue('It flies.')
    await expect(form.getByRole('radio', { name: '4 stars' })).toBeChecked()
    await expect(buy.getByRole('status', { name: 'Quantity' })).toHaveText('2')

    await page.goto(productPage('sneaker'))
    await page.getByRole('radio', { name: '43' }).check()
    await page.getByRole('radio', { name: 'Red (out of stock)' }).check()
    await expectMessages(clicks(buy, 'Tell me when it is back'))
    await expect(button(buy, 'Tell me when it is back')).toBeVisible()
  })

  test('for visitors, who stay where they are', async ({ page, faults, expectMessages }) => {
    faults.allow(/dynamically imported module/)
    const card = page.getByRole('main').getByRole('article').filter({ hasText: 'Red kite' })
    const buy = page.getByRole('form', { name: /^Buy/ })
    const onCard = ['Add Red kite to cart', 'Add Red kite to wishlist'].map(
      name => [name, () => card.getByRole('link', { name }).click()] as [string, () => Promise<void>],
    )
    await page.goto('/products?category=Toys')
    await expectMessages(onCard)
    await expect(page).toHaveURL('/products?category=Toys')

    await page.goto(productPage('well-known'))
    // The buttons work once React is there.
    await button(buy, 'Increase quantity').click()
    await hydrated(buy)
    await expectMessages(clicks(buy, 'Add to cart', 'Add to wishlist', 'Buy Now'))
    await expect(page).toHaveURL(productPage('well-known'))
    await expect(buy.getByRole('status', { name: 'Quantity' })).toHaveText('2')
  })

  test('in the account', async ({ page, customer, expectMessages }) => {
    await fillBook(page, customer, { Home: 'Nairobi', Office: 'Mombasa' })
    const other = await page
      .context()
      .browser()!
      .newContext({ baseURL: new URL(page.url()).origin })
    const login = { email: customer.email, password: customer.password }
    await other.request.post(`/api${contract.login.path}`, { data: login, failOnStatusCode: true })
    await other.close()
    await page.goto('/dashboard/account')
    const account = page.getByRole('form', { name: 'Update Account Information' })
    await account.getByLabel('City').fill('Kisumu')
    const book = page.getByRole('region', { name: 'Your addresses' })
    await button(book, 'Change Office').click()
    await book.getByLabel('Name of the address').fill('Warehouse')
    const open = (name: string) => button(page, name).click()
    const fill = async (fields: Record<string, string>) => {
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
    }
    const password = 'Another-Horse-9'

    await expectMessages([
      ...clicks(page, 'Save changes', 'Save address', 'Log out all other devices'),
      [
        'Log out a device',
        () =>
          button(page, /^Log out .* on |^Log out (?!all)/)
            .first()
            .click(),
      ],
      [
        'a new name',
        () =>
          open('Change name')
            .then(() => fill({ 'New name': 'Ada King' }))
            .then(() => open('Save name')),
      ],
    ])
    await expect(account.getByLabel('City')).toHaveValue('Kisumu')
    await expect(book.getByLabel('Name of the address')).toHaveValue('Warehouse')
    await expect(page.getByLabel('New name')).toHaveValue('Ada King')

    const current = { 'Current password': customer.password }
    await button(book, 'Cancel').click()
    await expectMessages([
      ...clicks(book, 'Make default: Office', 'Remove Office'),
      [
        'a new email',
        async () => {
          await open('Change email')
          await fill({ 'New email': 'king@piazza.example', ...current })
          await open('Send a link')
        },
      ],
      [
        'a new password',
        async () => {
          await open('Change password')
          await fill({ ...current, 'New password': password })
          await open('Save password')
        },
      ],
    ])
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue(password)
    for (const name of ['Download my data', 'Delete my account']) {
      await open(`${name} …`)
      await fill({ 'Your password': customer.password })
      await expectMessages([[name, () => page.getByLabel('Your password', { exact: true }).press('Enter')]])
    }
  })

  test('at the logout, which does not happen', async ({ page, customer, expectMessages }) => {
    await page.goto('/dashboard')
    await button(page, 'Logout').click()

    await expectMessages(clicks(page.getByRole('dialog'), 'Logout'))

    await expect(page.getByRole('dialog')).toBeHidden()
    await page.reload()
    await expect(page.getByRole('main')).toContainText(`Welcome back, ${customer.name}.`)
  })

  test('for visitors who log in, register or have forgotten their password', async ({ page, expectMessages }) => {
    const { email, password } = await register(page.request)
    const expectLast = async (path: string, fields: Record<string, string>, name: string) => {
      await page.goto(path)
      const form = page.getByRole('main').getByRole('form')
      for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value)
      await expectMessages(clicks(form, name))
      for (const [label, value] of Object.entries(fields))
        await expect(form.getByLabel(label, { exact: true })).toHaveValue(value)
    }
    await page.context().clearCookies()

    await expectLast('/login', { Email: email, Password: password }, 'Log in')
    await expectLast('/register', { Name: 'Ada', Email: email, Password: password }, 'Register')
    await expectLast('/forgotpassword', { Email: email }, 'Reset Password')
    await expectLast(
      '/resetpassword?token=abc',
      { 'New password': password, 'Confirm password': password },
      'Save new password',
    )
  })
})
