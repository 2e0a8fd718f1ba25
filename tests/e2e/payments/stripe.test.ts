import { expect } from '#tests/support/browser/e2e.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { orderKite, payButton, readOrders, signUpInKenya } from '#tests/support/browser/ordering-pages.ts'
import { testWithOwn } from '#tests/support/provider/own-shop.ts'
import { serveStripeScript } from '#tests/support/browser/stripe-script.ts'
import { addToyMarket } from '#tests/support/provider/toy-market.ts'

const DECLINED = '4000 0000 0000 0002'
const PAID = '4242 4242 4242 4242'
const CHALLENGED = '4000 0027 6000 3184'

/** A shop with Stripe as payment provider. */
const test = testWithOwn(async ({ startSmallShop }) => {
  const stripe = await startStripe()
  const { scriptUrl, close } = await serveStripeScript(stripe)
  const { url, publicKey, secretKey, webhookSecret } = stripe.config as Extract<
    typeof stripe.config,
    { provider: 'stripe' }
  >
  const shop = await startSmallShop(addToyMarket, {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_URL: url,
    STRIPE_SCRIPT_URL: scriptUrl,
    STRIPE_PUBLISHABLE_KEY: publicKey,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  })
  return {
    ...shop,
    async stop() {
      await shop.stop()
      await close()
      await stripe.close()
    },
  }
})

test('paying by Stripe happens in the shop’s modal, also after a decline', { tag: '@desktop' }, async ({ page }) => {
  const customer = await signUpInKenya(page)
  const orderId = await orderKite(page, customer)
  await page.goto(`/payment?order=${orderId}`)
  const dialog = page.getByRole('dialog', { name: 'Payment for Order' })
  await expect(page.getByText(/^You pay in US dollars/)).toHaveText('You pay in US dollars, by card.')
  const number = page.frameLocator('iframe[title="Secure payment input frame"]').getByRole('textbox')

  await payButton(page).click()
  await expect(dialog.getByRole('heading', { name: 'Payment for Order' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The payment was not finished.')
  await expect(payButton(page)).toBeFocused()

  await payButton(page).click()
  await number.fill(DECLINED)
  await dialog.getByRole('button', { name: 'Pay $15.50' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Your card was declined.')
  await number.fill(PAID)
  await dialog.getByRole('button', { name: 'Pay $15.50' }).click()

  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: 'Thank you! Your order is paid' })).toBeVisible()
  expect((await readOrders(page, customer)).map(order => order.paymentStatus)).toEqual(['paid'])
})

test('a card whose bank asks its customer (3-D Secure) pays by Stripe, and the page says so meanwhile', async ({
  page,
}) => {
  const customer = await signUpInKenya(page)
  await page.goto(`/payment?order=${await orderKite(page, customer)}`)
  await payButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Payment for Order' })
  await page.frameLocator('iframe[title="Secure payment input frame"]').getByRole('textbox').fill(CHALLENGED)

  await dialog.getByRole('button', { name: 'Pay $15.50' }).click()

  const complete = page.getByRole('button', { name: 'Complete' })
  await expect(page.getByRole('status').filter({ hasText: 'Your payment is being confirmed' })).toBeAttached()
  await page.keyboard.press('Escape')
  await complete.click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: 'Thank you! Your order is paid' })).toBeVisible()
})

test(
  'paying by Stripe tells that the modal’s code cannot be fetched, and works at the next try',
  { tag: '@phone' },
  async ({ page, faults }) => {
    faults.expect(/ERR_FAILED/)
    const code = /_astro\/stripe-modal\..*js/
    const customer = await signUpInKenya(page)
    await page.goto(`/payment?order=${await orderKite(page, customer)}`)
    await page.route(code, route => route.abort())

    await payButton(page).click()

    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Failed to load payment modal. Check your internet connection and retry later.',
    )
    await page.unroute(code)
    await payButton(page).click()
    await expect(page.getByRole('dialog', { name: 'Payment for Order' })).toBeVisible()
  },
)
