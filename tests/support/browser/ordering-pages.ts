import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test'
import type { OrderSummary } from '#contract/orders.ts'
import { orderPath, paymentPath } from '#contract/page-urls.ts'
import { ACCOUNT } from '../accounts/account.ts'
import { saveAccount, type SignedUp, signUp } from '../accounts/customer.ts'
import { apiOf, idOf } from './calls.ts'

/** Registers a customer with an address in Kenya and signs them in to the browser of `page`. */
export async function signUpInKenya(page: Page, options = {}): Promise<SignedUp> {
  const customer = await signUp(page, 'Ada Lovelace', options)
  await saveAccount(page, customer, { currency: 'USD' })
  return customer
}

/** Puts products into the cart without the shop's pages. */
export async function fillCart(page: Page, { token }: SignedUp, quantities: Record<string, number>): Promise<void> {
  const api = apiOf(page, token)
  for (const [slug, quantity] of Object.entries(quantities)) {
    const { product } = await api.getProduct({ id: slug })
    await api.addToCart({ userId: idOf(token), productId: product._id, quantity })
  }
}

/** Fills the customer's address book without the shop's pages; the first address is the default one. */
export async function fillBook(page: Page, { token }: SignedUp, cities: Record<string, string>): Promise<void> {
  const api = apiOf(page, token)
  for (const [label, city] of Object.entries(cities))
    await api.addAddress({ label, shippingDetails: { ...ACCOUNT.shippingDetails, city } })
}

/** Orders one red kite to Kenya without the shop's pages. Resolves with the order's id. */
export async function orderKite(page: Page, { token }: SignedUp): Promise<string> {
  const api = apiOf(page, token)
  const { product } = await api.getProduct({ id: 'kite' })
  const { postal: post, ...rest } = ACCOUNT.shippingDetails
  const { orderId } = await api.placeOrder({
    userId: idOf(token),
    priceCents: 1550,
    items: 1,
    groups: [{ products: [{ quantity: 1, productInfo: { _id: product._id } }] }],
    shippingInfo: { ...rest, post },
    key: crypto.randomUUID(),
  })
  return orderId
}

/** The row of an order in a table of orders. */
export function orderRow(page: Page, orderId: string): Locator {
  return page.getByRole('row').filter({ has: page.locator(`a[href="${orderPath(orderId)}"]`) })
}

/** The customer's orders as the provider has them, newest first. */
export async function readOrders(page: Page, { token }: SignedUp): Promise<OrderSummary[]> {
  const { orders } = await apiOf(page, token).getOrders({ userId: idOf(token), status: 'all' })
  return orders
}

/** Fills in the form on /shipping from the account and confirms it. */
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

/** Orders a kite, pays for it by card and opens the order's page. Returns the order's id. */
export async function openPaidOrder(page: Page, customer: SignedUp): Promise<string> {
  const orderId = await orderKite(page, customer)
  await page.goto(paymentPath(orderId))
  await payWith(page, '4242 4242 4242 4242')
  await expect(page).toHaveURL('/dashboard')
  await page.goto(orderPath(orderId))
  return orderId
}
