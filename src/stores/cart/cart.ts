import { atom } from 'nanostores'
import type { Cart, CartLine } from '#contract/cart.ts'
import { cartOf, cartLinesOf } from '#contract/cart-sums.ts'
import type { Intent } from '#lib/accounts/intent.ts'
import { ApiError } from '#lib/api.ts'
import { oneMore } from '#lib/cart/quantity.ts'
import { client } from '../page-client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData, persistentCount } from '../customer-data.ts'
import { $customer, leadToLogin } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import {
  confirmedQuantity,
  isCurrent,
  isLost,
  nextChange,
  nextTask,
  type Unconfirmed,
  unconfirmedByLine,
  unconfirmedOf,
} from './unconfirmed.ts'

export type CartLoad = { state: 'loading' } | { state: 'ready'; cart: Cart } | { state: 'failed'; message: string }

/** The customer's cart as last loaded, with the customer's changes since. */
export const $cart = atom<CartLoad>({ state: 'loading' })

/** Units of all lines. */
export const $cartCount = persistentCount('cartCount', $cart)

/** Additions to the cart that are being sent. */
const adding = new Set<{ userId: string; quantity: number }>()
let isSending = false
/** The last sending of changes: true if the provider accepted all of them. */
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

/** Runs another store's change of the cart: shows its error in a toast, then loads the cart again in all tabs. */
export const changeCart = data.change

function reset(): void {
  // Changes that are being sent are removed when their responses arrive.
  if (!isSending) unconfirmedByLine.clear()
  $cart.set({ state: 'loading' })
  $cartCount.set(0)
}

/**
 * Adds units of a product to the cart. The badge counts them at once, and takes them back if the provider rejects them.
 * A toast shows the outcome. Does nothing for visitors. A product with several variants needs `variantId`. Returns
 * whether the provider accepted it.
 */
export async function addToCart(productId: string, quantity = 1, variantId?: string): Promise<boolean> {
  const customer = $customer.get()
  if (!customer) return false
  const added = { userId: customer.id, quantity }
  adding.add(added)
  $cartCount.set($cartCount.get() + quantity)
  let isAccepted = false
  try {
    isAccepted = await data.change(
      async () => {
        const { message } = await client.api.addToCart({ userId: customer.id, productId, variantId, quantity })
        toast('success', message, isCartShown() ? {} : { link: { text: 'View cart', href: '/cart' } })
      },
      { kind: 'addToCart', productId, variantId, quantity },
    )
  } finally {
    adding.delete(added)
    if (!isAccepted && $customer.get()?.id === customer.id) $cartCount.set(Math.max(0, $cartCount.get() - quantity))
  }
  return isAccepted
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
  const line = lineOf(lineId)
  if (!line) return
  const next = by === 1 ? oneMore(line.quantity, line.product.stock) : line.quantity - 1
  if (next === null) return toast('error', 'Out of stock')
  if (next < 1) return
  data.invalidate()
  showQuantity(lineId, next)
  unconfirmedOf(lineId).steps += by
  if (!isSending) sent = sendChanges()
}

/**
 * Sets the quantity of a line: shown at once, sent in the background. A quantity above the stock is reduced to the
 * stock, and a toast says how many are left. If the provider rejects it, the provider's quantity is shown again.
 */
export function setQuantity(lineId: string, wanted: number): void {
  const line = lineOf(lineId)
  if (!line) return
  const { stock } = line.product
  if (wanted > stock) toast('error', stock === 0 ? 'Out of stock' : `Only ${stock} left`)
  const quantity = Math.min(wanted, stock)
  if (quantity < 1 || quantity === line.quantity) return
  data.invalidate()
  const change = unconfirmedOf(lineId)
  change.typed = { quantity, confirmed: confirmedQuantity(line) }
  // The typed quantity replaces all steps except the one that is being sent.
  change.steps = change.sentStep
  showQuantity(lineId, quantity)
  if (!isSending) sent = sendChanges()
}

/** Repeats the steps that were waiting for a login, on the freshly loaded cart. */
export async function repeatSteps(lineId: string, by: number): Promise<void> {
  await loadCart()
  for (let left = Math.abs(by); left > 0; left -= 1) changeQuantity(lineId, by > 0 ? 1 : -1)
}

/** Waits for the changes of quantities that are being sent. False if one is rejected, which a toast shows. */
export function settled(): Promise<boolean> {
  return isSending ? sent : Promise.resolve(true)
}

async function sendChanges(): Promise<boolean> {
  isSending = true
  let isAccepted = true
  let lastMessage: string | null = null
  try {
    for (let next = nextChange(); next; next = nextChange()) {
      const [lineId, change] = next
      const message = await (change.typed ? sendTyped(lineId, change) : sendStep(lineId, change))
      if (message === null) isAccepted = false
      else lastMessage = message
    }
  } finally {
    isSending = false
    data.reloadEverywhere()
  }
  // One toast for all clicks in quick succession.
  if (isAccepted && lastMessage) toast('success', lastMessage)
  return isAccepted
}

/** Returns the provider's message, or null if it rejected the step, which a toast shows. */
async function sendStep(lineId: string, change: Unconfirmed): Promise<string | null> {
  const by = change.steps > 0 ? 1 : -1
  change.sentStep = by
  try {
    const { message } = await step(lineId, by)
    change.steps -= by
    if (change.typed) change.typed.confirmed += by
    return message
  } catch (error) {
    if (isLost(error)) await nextTask()
    const { typed } = change
    const rejected = typed ? by : change.steps
    change.steps -= rejected
    // A quantity typed since replaces the step: it is shown already, and is sent next.
    if (typed) return reject(error, { kind: 'setQuantity', lineId, quantity: typed.quantity })
    // Reloading alone would not revert it, because the provider may be unreachable.
    const line = lineOf(lineId)
    if (line && isCurrent(lineId, change)) showQuantity(lineId, line.quantity - rejected)
    return reject(error, { kind: 'changeQuantity', lineId, by: rejected })
  } finally {
    change.sentStep = 0
  }
}

function step(lineId: string, direction: number): Promise<{ message: string }> {
  return direction > 0 ? client.api.increaseQuantity({ lineId }) : client.api.decreaseQuantity({ lineId })
}

/** Like `sendStep`, for a typed quantity. */
async function sendTyped(lineId: string, change: Unconfirmed): Promise<string | null> {
  const { quantity, confirmed } = change.typed!
  const isNewest = () => change.typed?.quantity === quantity
  try {
    const { message } = await client.api.setQuantity({ lineId, quantity })
    if (isNewest()) change.typed = undefined
    else if (change.typed) change.typed.confirmed = quantity
    return message
  } catch (error) {
    if (isLost(error)) await nextTask()
    if (isNewest()) {
      change.typed = undefined
      if (isCurrent(lineId, change)) showQuantity(lineId, confirmed + change.steps)
    }
    return reject(error, { kind: 'setQuantity', lineId, quantity })
  }
}

/** Shows why a change was rejected. If the session has ended, keeps it for after the login and forgets the others. */
function reject(error: unknown, intent: Intent): null {
  if (!(error instanceof ApiError)) throw error
  if (leadToLogin(error, intent)) unconfirmedByLine.clear()
  else toast('error', error.message)
  return null
}

/**
 * Sends all that waits at once, because leaving the page would lose it. Steps go one by one: the step that is being sent
 * may arrive after them.
 */
export function sendRest(): void {
  for (const [lineId, change] of unconfirmedByLine) {
    const line = lineOf(lineId)
    if (!line) continue
    const waiting = change.typed ? 0 : change.steps - change.sentStep
    if (change.typed) void client.api.setQuantity({ lineId, quantity: line.quantity }).catch(() => undefined)
    for (let left = Math.abs(waiting); left > 0; left -= 1) void step(lineId, waiting).catch(() => undefined)
    change.typed = undefined
    change.steps = change.sentStep
  }
}

/** Removes a line at once and returns the provider's message, or puts the line back and returns null. */
export async function removeLine(lineId: string): Promise<string | null> {
  const at = lines().findIndex(({ _id }) => _id === lineId)
  const line = lines()[at]
  const confirmed = line && confirmedQuantity(line)
  showLines(lines().filter(({ _id }) => _id !== lineId))
  unconfirmedByLine.delete(lineId)
  let message: string | null = null
  await data.change(async () => {
    message = (await client.api.removeCartLine({ lineId })).message
  })
  if (message === null && line && confirmed) insert({ ...line, quantity: confirmed }, at)
  return message
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

function lines(): CartLine[] {
  const shown = $cart.get()
  return shown.state === 'ready' ? cartLinesOf(shown.cart) : []
}

function lineOf(lineId: string): CartLine | undefined {
  return lines().find(({ _id }) => _id === lineId)
}

function showLines(changedLines: CartLine[]): void {
  const cart = cartOf(changedLines)
  $cart.set({ state: 'ready', cart })
  $cartCount.set(cart.count + addingCount())
}

function showQuantity(lineId: string, quantity: number): void {
  if (!lineOf(lineId)) return
  showLines(lines().map(line => (line._id === lineId ? { ...line, quantity } : line)))
}

function insert(line: CartLine, at: number): void {
  if ($cart.get().state !== 'ready' || lines().some(({ _id }) => _id === line._id)) return
  showLines(lines().toSpliced(at, 0, line))
}

startInBrowser($cart, () => [$customer.subscribe(() => void loadCart()), followChanges('cart', data.reload)])
