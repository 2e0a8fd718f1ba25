import { expect, type FrameLocator, type Page } from 'playwright/test'
import { ACCOUNT, saveAccount, type SignedUp, signUp } from '../catalogue/customer.ts'

const idOf = ({ token }: SignedUp): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { id: string }).id

const headersOf = ({ token }: SignedUp) => ({ authorization: `Bearer ${token}` })

/** A new customer with an address in Kenya, signed in to the browser of `page`. */
export async function signUpInKenya(page: Page, options = {}): Promise<SignedUp> {
  const customer = await signUp(page, 'Ada Lovelace', options)
  await saveAccount(page, customer, { currency: 'USD' })
  return customer
}

async function readProduct(page: Page, slug: string) {
  const answer = await page.request.get(`/api/home/get-product/${slug}`)
  return ((await answer.json()) as { product: { _id: string } }).product
}

/** Puts products into the cart without the shop's pages. */
export async function fillCart(page: Page, customer: SignedUp, quantities: Record<string, number>): Promise<void> {
  for (const [slug, quantity] of Object.entries(quantities)) {
    const data = { userId: idOf(customer), productId: (await readProduct(page, slug))._id, quantity }
    const options = { data, headers: headersOf(customer), failOnStatusCode: true }
    await page.request.post('/api/home/product/add-to-card', options)
  }
}

/** Orders one red kite to Kenya without the shop's pages, and answers the order's id. */
export async function orderKite(page: Page, customer: SignedUp): Promise<string> {
  const { postal: post, ...rest } = ACCOUNT.shippingDetails
  const data = {
    userId: idOf(customer),
    price: 15.5,
    products: [{ products: [{ quantity: 1, productInfo: await readProduct(page, 'kite') }] }],
    shippingInfo: { ...rest, post },
    items: 1,
  }
  const headers = { ...headersOf(customer), 'idempotency-key': crypto.randomUUID() }
  const answer = await page.request.post('/api/home/order/palce-order', { data, headers, failOnStatusCode: true })
  return ((await answer.json()) as { orderId: string }).orderId
}

/** The customer's orders as the provider tells them. */
export async function readOrders(page: Page, customer: SignedUp): Promise<{ _id: string; payment_status: string }[]> {
  const answer = await page.request.get(`/api/home/customer/gat-orders/${idOf(customer)}/all`, {
    headers: headersOf(customer),
    failOnStatusCode: true,
  })
  return ((await answer.json()) as { orders: { _id: string; payment_status: string }[] }).orders
}

/** Fills in the form of /shipping from the account, and confirms it. */
export async function confirmAddress(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Use my default shipping address' }).check()
  await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Nairobi')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Deliver to Ada Lovelace' })).toBeVisible()
}

export const payButton = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Pay \$/ })
export const paymentFrame = (page: Page): FrameLocator => page.frameLocator('iframe[title="Payment"]')

/** Opens the sandbox's modal and pays with one of its test numbers. */
export async function payWith(
  page: Page,
  number: string,
  method: 'Card' | 'Mobile money' | 'USSD' = 'Card',
): Promise<void> {
  await payButton(page).click()
  const frame = paymentFrame(page)
  await frame.getByRole('radio', { name: method }).check()
  await frame.getByRole('textbox').fill(number)
  await frame.getByRole('button', { name: /^Pay \$/ }).click()
}
