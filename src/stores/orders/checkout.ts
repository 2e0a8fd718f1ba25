import { atom } from 'nanostores'
import { EMAIL_NOT_CONFIRMED } from '#contract/account.ts'
import { EMPTY_SHIPPING_FORM, type NewOrder, type ShippingForm } from '#contract/orders.ts'
import type { PriceSummary } from '#contract/order-sums.ts'
import { ApiError } from '#lib/api.ts'
import { basketOf, type BasketLine, boughtAtOnce, itemCount, type Purchase, wantedGroups } from '#lib/cart/basket.ts'
import { RESUME_MS } from '#lib/constants.ts'
import { newKey } from '#lib/key.ts'
import { CHECKOUT_ORDER as KEY, dropFromTab, storeInTab, readFromTab } from '#lib/session-storage.ts'
import { $address, forgetAddress } from '../accounts/address.ts'
import { reloadBasket } from '../cart/basket.ts'
import { $cart, loadCart } from '../cart/cart.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { $orderId } from './order-id.ts'
import { $customer } from '../accounts/session.ts'
import { toast } from '../ui/toasts.ts'

/**
 * `unknown`: the order was sent without a response. It may have been placed, so it is only sent again unchanged, or
 * dropped by the customer.
 */
export type Placing =
  | { state: 'idle' | 'sending' | 'unknown' }
  | { state: 'priceChanged'; summary: PriceSummary }
  | { state: 'rejected'; message: string; reasons: string[]; isEmailUnconfirmed: boolean }
  | { state: 'placed'; orderId: string }

/**
 * The order request that this tab repeats until the provider responds. `key` is its idempotency key; `bought` is what
 * the customer bought without the cart.
 */
interface Request {
  order: NewOrder
  key: string
  bought: Purchase | null
  sentAt: number | null
}

export const $placing = atom<Placing>({ state: 'idle' })

/**
 * Orders the lines for the total that the customer sees. Repeating it with the same data (clicks, reloads, retries)
 * places only one order.
 */
export async function placeOrder(lines: BasketLine[], shippingInfo: ShippingForm, priceCents: number): Promise<void> {
  const customer = $customer.get()
  if (!customer || isSent()) return
  const groups = wantedGroups(lines)
  const order: NewOrder = { userId: customer.id, priceCents, items: itemCount(lines), groups, shippingInfo }
  await sendOrder(requestOf(order))
}

/** Shows the order's sums and asks the customer to accept them before `placeOrder`. */
export function askForConsent(summary: PriceSummary): void {
  if (!isSent()) $placing.set({ state: 'priceChanged', summary })
}

/**
 * Sends this page's unanswered order again, possibly from before the page was reloaded. If the customer has changed the
 * cart or the address since, they have to decide.
 */
export async function resumeOrder(): Promise<void> {
  const request = unansweredRequest()
  if (!request) return
  const isWanted = await isStillWanted(request)
  if (!unansweredRequest()) return
  if (isWanted) await sendOrder(request)
  else $placing.set({ state: 'unknown' })
}

/** Sends the unanswered order again, whatever the customer has changed since. */
export async function askAgain(): Promise<void> {
  const request = unansweredRequest()
  if (request) await sendOrder(request)
}

/** Stops asking about the unanswered order. The same order keeps its key, so that it is not placed twice. */
export function dropOrder(): void {
  const request = unansweredRequest()
  if (request) storeInTab(KEY, { ...request, sentAt: null })
  $placing.set({ state: 'idle' })
  void reloadBasket()
}

/** Clears an error that the customer has read. */
export function dismissError(): void {
  const { state } = $placing.get()
  if (state === 'rejected' || state === 'priceChanged') $placing.set({ state: 'idle' })
}

async function sendOrder(request: Request): Promise<void> {
  $placing.set({ state: 'sending' })
  storeInTab(KEY, { ...request, sentAt: Date.now() })
  try {
    const { orderId } = await client.api.placeOrder({ ...request.order, key: request.key })
    finish(orderId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isUnanswered(error)) return $placing.set({ state: 'unknown' })
    storeInTab(KEY, { ...request, sentAt: null })
    // The session has ended: the login says so.
    if (!$customer.get()) return $placing.set({ state: 'idle' })
    showRejection(error)
    await reloadBasket()
  }
}

function finish(orderId: string): void {
  dropFromTab(KEY)
  forgetAddress()
  $orderId.set(orderId)
  $placing.set({ state: 'placed', orderId })
  notifyOtherTabs('cart')
  notifyOtherTabs('orders')
}

function showRejection({ message, code, fields, summary }: ApiError): void {
  if (summary) return $placing.set({ state: 'priceChanged', summary })
  toast('error', message)
  const reasons = [...new Set(Object.values(fields ?? {}))]
  $placing.set({ state: 'rejected', message, reasons, isEmailUnconfirmed: code === EMAIL_NOT_CONFIRMED })
}

/** Whether the provider may have placed the order despite the error. */
function isUnanswered({ status, isSilent }: ApiError): boolean {
  return status >= 500 || isSilent
}

function isSent(): boolean {
  return ['sending', 'unknown', 'placed'].includes($placing.get().state)
}

function requestOf(order: NewOrder): Request {
  const stored = storedRequest()
  return stored && isSameOrder(stored.order, order)
    ? { ...stored, bought: boughtHere() }
    : { order, key: newKey(), bought: boughtHere(), sentAt: null }
}

/** Whether two orders are for the same things. Compares only product ids: other product data (stock) changes. */
function isSameOrder(one: NewOrder, other: NewOrder): boolean {
  const [first, second] = [one, other].map(order =>
    JSON.stringify(order, (field, value: unknown) =>
      field === 'productInfo' ? (value as { _id: string })._id : value,
    ),
  )
  return first === second
}

/** This page's unanswered order, unless it is being sent; after a reload only for some time. */
function unansweredRequest(): Request | null {
  const { state } = $placing.get()
  if (state === 'sending' || state === 'placed') return null
  const stored = storedRequest()
  const youngerMs = state === 'unknown' ? Infinity : RESUME_MS
  const isYoung = typeof stored?.sentAt === 'number' && Date.now() - stored.sentAt < youngerMs
  return isYoung && stored.order.userId === $customer.get()?.id && isBoughtHere(stored) ? stored : null
}

/** Whether this page is the checkout of the stored order, not of another purchase. */
function isBoughtHere({ bought }: Request): boolean {
  return JSON.stringify(bought) === JSON.stringify(boughtHere())
}

/**
 * Whether cart and address are still those of the order, or its lines have left the cart: then it was probably placed,
 * and otherwise the provider rejects it.
 */
async function isStillWanted({ order, bought }: Request): Promise<boolean> {
  const isSameAddress = isSameForm(order.shippingInfo, $address.get().form)
  if (bought) return isSameAddress
  await loadCart()
  const load = $cart.get()
  if (load.state !== 'ready') return false
  const { groups, outOfStock } = load.cart
  const inCart = new Set([...groups.flatMap(({ products }) => products), ...outOfStock].map(({ _id }) => _id))
  const isGone = !order.groups.some(({ products }) => products.some(({ _id }) => _id && inCart.has(_id)))
  return isGone || (isSameAddress && linesOf(order.groups) === linesOf(wantedGroups(basketOf(load.cart))))
}

function isSameForm(one: ShippingForm, other: ShippingForm): boolean {
  return (Object.keys(EMPTY_SHIPPING_FORM) as (keyof ShippingForm)[]).every(name => one[name] === other[name])
}

/** The lines, their variants and quantities, in a fixed order. */
function linesOf(groups: NewOrder['groups']): string {
  const lines = groups.flatMap(({ products }) => products)
  return lines
    .map(({ _id, variantId, quantity }) => [_id, variantId, quantity].join())
    .toSorted()
    .join(' ')
}

function boughtHere(): Purchase | null {
  return boughtAtOnce(location.search)
}

function storedRequest(): Request | null {
  const stored = readFromTab(KEY) as Partial<Request> | null
  return stored?.order && typeof stored.key === 'string' ? (stored as Request) : null
}
