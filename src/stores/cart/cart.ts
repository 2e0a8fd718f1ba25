import { atom } from 'nanostores'
import type { Cart, CartLine } from '#contract/cart.ts'
import { cartOf, linesOf } from '#contract/cart-sums.ts'
import { ApiError } from '#lib/api.ts'
import { oneMore } from '#lib/cart/quantity.ts'
import { client } from '../page-client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData, persistentCount } from '../customer-data.ts'
import { $customer, leadToLogin } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type CartLoad = { state: 'loading' } | { state: 'ready'; cart: Cart } | { state: 'failed'; message: string }

/** The customer's cart as last loaded, with the customer's changes since. */
export const $cart = atom<CartLoad>({ state: 'loading' })

/** Units of all lines. */
export const $cartCount = persistentCount('cartCount', $cart)

/** Additions to the cart that are being sent. */
const adding = new Set<{ userId: string; quantity: number }>()
/** Quantity steps per line that the provider has not confirmed: positive for more, negative for fewer. */
const steps = new Map<string, number>()
/** Typed quantities per line that the provider has not confirmed, with the last confirmed quantity. */
const typed = new Map<string, { quantity: number; confirmed: number }>()
/** The step that is being sent. */
let sending: { lineId: string; by: number } | undefined
let isSending = false
/** Resolves when the pending steps have been sent: true if the provider accepted all of them. */
let sent: Promise<boolean> = Promise.resolve(true)

const data = customerData({
  topic: 'cart',
  $store: $cart,
  fetch: userId => client.api.getCart({ userId }),
  show(cart) {
    // sendChanges() reloads the cart when it has finished.
    if (isSending) return
    $cart.set({ state: 'ready', cart })
    $cartCount.set(cart.count + addingCount())
  },
  reset,
})

/** Loads the cart; concurrent calls share one request. Failures are shown through `$cart`. */
export const loadCart = data.load

/** Loads the cart again after a change that another store has made. */
export const reloadCart = data.reload

function reset(): void {
  // Changes that are being sent are removed when their responses arrive.
  if (!isSending) forgetUnsent()
  $cart.set({ state: 'loading' })
  $cartCount.set(0)
}

/**
 * Adds units of a product to the cart. The badge counts them at once, and takes them back if the provider rejects them.
 * A toast shows the outcome. Does nothing for visitors. A product with several variants needs `variantId`.
 */
export async function addToCart(productId: string, quantity = 1, variantId?: string): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const added = { userId: customer.id, quantity }
  adding.add(added)
  $cartCount.set($cartCount.get() + quantity)
  let isTaken = false
  try {
    isTaken = await data.change(
      async () => {
        const { message } = await client.api.addToCart({ userId: customer.id, productId, variantId, quantity })
        toast('success', message, isCartShown() ? {} : { link: { text: 'View cart', href: '/cart' } })
      },
      { kind: 'addToCart', productId, variantId, quantity },
    )
  } finally {
    adding.delete(added)
    if (!isTaken && $customer.get()?.id === customer.id) $cartCount.set(Math.max(0, $cartCount.get() - quantity))
  }
}

function addingCount(): number {
  const userId = $customer.get()?.id
  return [...adding].reduce((sum, each) => (each.userId === userId ? sum + each.quantity : sum), 0)
}

function isCartShown(): boolean {
  return globalThis.location?.pathname.toLowerCase() === '/cart'
}

/**
 * Changes a line by one unit: shown at once, sent in the background one step at a time. Beyond the stock it shows 'Out
 * of stock'; below 1 it does nothing. If the provider rejects a step, the provider's quantity is shown again.
 */
export function changeQuantity(lineId: string, by: 1 | -1): void {
  const line = lines().find(({ _id }) => _id === lineId)
  if (!line) return
  const next = by === 1 ? oneMore(line.quantity, line.product.stock) : line.quantity - 1
  if (next === null) return toast('error', 'Out of stock')
  if (next < 1) return
  data.invalidate()
  showQuantity(lineId, next)
  steps.set(lineId, (steps.get(lineId) ?? 0) + by)
  if (!isSending) sent = sendChanges()
}

/**
 * Sets the quantity of a line: shown at once, sent in the background. A quantity above the stock is reduced to the
 * stock, and a toast says how many are left. If the provider rejects it, the provider's quantity is shown again.
 */
export function setQuantity(lineId: string, wanted: number): void {
  const line = lines().find(({ _id }) => _id === lineId)
  if (!line) return
  const { stock } = line.product
  if (wanted > stock) toast('error', stock === 0 ? 'Out of stock' : `Only ${stock} left`)
  const quantity = Math.min(wanted, stock)
  if (quantity < 1 || quantity === line.quantity) return
  data.invalidate()
  typed.set(lineId, { quantity, confirmed: confirmedQuantity(line) })
  // The typed quantity replaces all steps except the one that is being sent.
  steps.set(lineId, sending?.lineId === lineId ? sending.by : 0)
  showQuantity(lineId, quantity)
  if (!isSending) sent = sendChanges()
}

function confirmedQuantity({ _id, quantity }: CartLine): number {
  return typed.get(_id)?.confirmed ?? quantity - (steps.get(_id) ?? 0)
}

/** Repeats the steps that were waiting for a login, on the freshly loaded cart. */
export async function repeatSteps(lineId: string, by: number): Promise<void> {
  await loadCart()
  for (let left = Math.abs(by); left > 0; left -= 1) changeQuantity(lineId, by > 0 ? 1 : -1)
}

/** Waits until all changes of quantities have been sent. False if one was rejected, which a toast has shown. */
export function settled(): Promise<boolean> {
  return sent
}

async function sendChanges(): Promise<boolean> {
  isSending = true
  let isTaken = true
  let said: string | null = null
  try {
    for (let next = nextChange(); next; next = nextChange()) {
      const answer = await next()
      if (answer === null) isTaken = false
      else said = answer
    }
  } finally {
    isSending = false
    data.reloadEverywhere()
  }
  // One toast for all clicks in quick succession.
  if (isTaken && said) toast('success', said)
  return isTaken
}

/** Returns the provider's message, or null if it rejected the step, which a toast shows. */
async function sendStep(lineId: string, count: number): Promise<string | null> {
  const by = Math.sign(count)
  sending = { lineId, by }
  const send = by === 1 ? client.api.increaseQuantity : client.api.decreaseQuantity
  try {
    const { message } = await send({ lineId })
    // A line that was removed in the meantime has no steps left.
    const left = steps.get(lineId)
    if (left !== undefined) steps.set(lineId, left - by)
    return message
  } catch (error) {
    // If the line was removed in the meantime, removeLine() has already discarded its steps.
    const left = steps.get(lineId)
    steps.delete(lineId)
    if (left !== undefined) takeBack(lineId, left)
    if (!(error instanceof ApiError)) throw error
    if (leadToLogin(error, { kind: 'changeQuantity', lineId, by: left ?? count })) forgetUnsent()
    else toast('error', error.message)
    return null
  } finally {
    sending = undefined
  }
}

/** Like `sendStep`, for a typed quantity. */
async function sendTyped(lineId: string, { quantity, confirmed }: { quantity: number; confirmed: number }) {
  try {
    const { message } = await client.api.setQuantity({ lineId, quantity })
    const newest = typed.get(lineId)
    if (newest?.quantity === quantity) typed.delete(lineId)
    else if (newest) newest.confirmed = quantity
    return message
  } catch (error) {
    if (typed.get(lineId)?.quantity === quantity) {
      typed.delete(lineId)
      showQuantity(lineId, confirmed + (steps.get(lineId) ?? 0))
    }
    if (!(error instanceof ApiError)) throw error
    if (leadToLogin(error, { kind: 'setQuantity', lineId, quantity })) forgetUnsent()
    else toast('error', error.message)
    return null
  }
}

/** Returns a function that sends the oldest unsent change; undefined if there is none. */
function nextChange(): (() => Promise<string | null>) | undefined {
  const [set] = typed
  if (set) return () => sendTyped(...set)
  const step = [...steps].find(([, count]) => count !== 0)
  return step && (() => sendStep(...step))
}

function forgetUnsent(): void {
  steps.clear()
  typed.clear()
}

/** Removes a line at once and returns the provider's message, or puts the line back and returns null. */
export async function removeLine(lineId: string): Promise<string | null> {
  const at = lines().findIndex(({ _id }) => _id === lineId)
  const line = lines()[at]
  const confirmed = line && confirmedQuantity(line)
  showLines(lines().filter(({ _id }) => _id !== lineId))
  steps.delete(lineId)
  typed.delete(lineId)
  let said: string | null = null
  await data.change(async () => {
    said = (await client.api.removeCartLine({ lineId })).message
  })
  if (said === null && line && confirmed) insert({ ...line, quantity: confirmed }, at)
  return said
}

/** Undoes `removeLine`. Returns whether the provider accepted it. */
export function restoreLine(lineId: string): Promise<boolean> {
  return data.change(async () => {
    await client.api.restoreCartLine({ lineId })
  })
}

/** Changes the variant of a line; another line of that variant joins it. Returns whether the provider accepted it. */
export async function changeVariant(lineId: string, variantId: string): Promise<boolean> {
  await settled()
  return data.change(async () => {
    const { message } = await client.api.changeCartVariant({ lineId, variantId })
    toast('success', message)
  })
}

/** Accepts the current prices of everything in the cart. Returns whether the provider accepted it. */
export async function acceptPrices(): Promise<boolean> {
  const customer = $customer.get()
  if (!customer) return false
  return data.change(async () => {
    await client.api.acceptCartPrices({ userId: customer.id })
  })
}

function lines(): CartLine[] {
  const shown = $cart.get()
  return shown.state === 'ready' ? linesOf(shown.cart) : []
}

function showLines(changedLines: CartLine[]): void {
  const cart = cartOf(changedLines)
  $cart.set({ state: 'ready', cart })
  $cartCount.set(cart.count + addingCount())
}

function showQuantity(lineId: string, quantity: number): void {
  if (!lines().some(({ _id }) => _id === lineId)) return
  showLines(lines().map(line => (line._id === lineId ? { ...line, quantity } : line)))
}

/** Reverts steps that were shown but rejected; reloading alone would not, because the provider may be unreachable. */
function takeBack(lineId: string, by: number): void {
  const line = lines().find(({ _id }) => _id === lineId)
  if (line) showQuantity(lineId, line.quantity - by)
}

function insert(line: CartLine, at: number): void {
  if ($cart.get().state !== 'ready' || lines().some(({ _id }) => _id === line._id)) return
  showLines(lines().toSpliced(at, 0, line))
}

startInBrowser($cart, () => [$customer.subscribe(() => void loadCart()), followChanges('cart', data.reload)])
