import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import type { Cart, CartLine } from '#contract/cart.ts'
import { cartOf, linesOf } from '#contract/cart-sums.ts'
import { ApiError } from '#lib/api.ts'
import type { Intent } from '#lib/accounts/intent.ts'
import { oneMore } from '#lib/cart/quantity.ts'
import { client } from '../client.ts'
import { followChanges, tellOtherTabs } from '../cross-tab-sync.ts'
import { $customer, leadToLogin } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type CartLoad = { state: 'loading' } | { state: 'ready'; cart: Cart } | { state: 'failed'; message: string }

/** The customer's cart as the provider last told it, with what the customer has changed since. */
export const $cart = atom<CartLoad>({ state: 'loading' })

/** Units of all lines; kept from page to page, so that the badge need not wait. */
export const $cartCount = persistentAtom<number>('cartCount', 0, { encode: String, decode: Number })

/** Steps up (or down) for each line that the provider has not confirmed yet. */
const steps = new Map<string, number>()
let isSending = false
/** How the steps that are being sent end: whether the provider took them all. */
let sent: Promise<boolean> = Promise.resolve(true)
/** Rises with each change: what was asked before it is no news any more. */
let changes = 0
let loading: Promise<void> | undefined

/** Asks the provider for the cart; those who ask at once share one answer. Failures are on the store. */
export function loadCart(): Promise<void> {
  loading ??= load().finally(() => (loading = undefined))
  return loading
}

async function load(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return reset()
  const asked = changes
  try {
    const cart = await client.api.getCart({ userId: customer.id })
    if ($customer.get()?.id !== customer.id) return await load()
    // The last step sent asks again.
    if (isSending) return
    if (asked !== changes) return await load()
    $cart.set({ state: 'ready', cart })
    $cartCount.set(cart.count)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The answer may have been that the session has ended.
    if ($customer.get()?.id !== customer.id) return await load()
    // What is shown already is better than a message.
    if ($cart.get().state !== 'ready') $cart.set({ state: 'failed', message: error.message })
  }
}

function reset(): void {
  // Steps on their way tell by their answer how they end.
  if (!isSending) steps.clear()
  $cart.set({ state: 'loading' })
  $cartCount.set(0)
}

/** Adds units of a product to the customer's cart and says so, or why not. Visitors must sign in first. */
export async function addToCart(productId: string, quantity = 1): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  await act(
    async () => {
      const { message } = await client.api.addToCart({ userId: customer.id, productId, quantity })
      $cartCount.set($cartCount.get() + quantity)
      toast('success', message)
    },
    { kind: 'addToCart', productId, quantity },
  )
}

/**
 * One unit more or less, shown at once and sent one after the other, however fast the clicks come. At the stock this says
 * 'Out of stock'; below 1 nothing happens. A refusal brings back the provider's number.
 */
export function changeQuantity(lineId: string, by: 1 | -1): void {
  const line = lines().find(({ _id }) => _id === lineId)
  if (!line) return
  const next = by === 1 ? oneMore(line.quantity, line.product.stock) : line.quantity - 1
  if (next === null) return toast('error', 'Out of stock')
  if (next < 1) return
  changes += 1
  show(lines().map(each => (each._id === lineId ? { ...each, quantity: next } : each)))
  steps.set(lineId, (steps.get(lineId) ?? 0) + by)
  if (!isSending) sent = sendSteps()
}

/** The steps that waited for a login, on the cart as it is now. */
export async function repeatSteps(lineId: string, by: number): Promise<void> {
  await loadCart()
  for (let left = Math.abs(by); left > 0; left -= 1) changeQuantity(lineId, by > 0 ? 1 : -1)
}

/** Waits until every click on a quantity has reached the provider; false when it refused one, which was said. */
export function settled(): Promise<boolean> {
  return sent
}

async function sendSteps(): Promise<boolean> {
  isSending = true
  let isTaken = true
  let said: string | null = null
  try {
    for (let next = nextStep(); next; next = nextStep()) {
      const answer = await sendStep(...next)
      if (answer === null) isTaken = false
      else said = answer
    }
  } finally {
    isSending = false
    changed()
  }
  // Said once for all clicks that came in quick succession.
  if (isTaken && said) toast('success', said)
  return isTaken
}

/** Returns what the provider said of the step; null when it refused, which was said. */
async function sendStep(lineId: string, count: number): Promise<string | null> {
  const by = Math.sign(count)
  const send = by === 1 ? client.api.increaseQuantity : client.api.decreaseQuantity
  try {
    const { message } = await send({ lineId })
    // A line that was removed meanwhile has no steps any more.
    const left = steps.get(lineId)
    if (left !== undefined) steps.set(lineId, left - by)
    return message
  } catch (error) {
    // Who removed the line meanwhile took them back.
    const left = steps.get(lineId)
    steps.delete(lineId)
    if (left !== undefined) takeBack(lineId, left)
    if (!(error instanceof ApiError)) throw error
    if (leadToLogin(error, { kind: 'changeQuantity', lineId, by: left ?? count })) steps.clear()
    else toast('error', error.message)
    return null
  }
}

function nextStep(): [string, number] | undefined {
  return [...steps].find(([, count]) => count !== 0)
}

/** Takes a line out at once; returns what the provider said, so that it can be offered back. Null when the line stays. */
export async function removeLine(lineId: string): Promise<string | null> {
  const at = lines().findIndex(({ _id }) => _id === lineId)
  const line = lines()[at]
  const unsent = steps.get(lineId) ?? 0
  show(lines().filter(({ _id }) => _id !== lineId))
  steps.delete(lineId)
  let said: string | null = null
  await act(async () => {
    said = (await client.api.removeCartLine({ lineId })).message
  })
  if (said === null && line) insert({ ...line, quantity: line.quantity - unsent }, at)
  return said
}

/** Puts a removed line back as it was; answers whether the provider did. */
export function restoreLine(lineId: string): Promise<boolean> {
  return act(async () => {
    await client.api.restoreCartLine({ lineId })
  })
}

/** Agrees to what everything in the cart costs now; answers whether the provider took it. */
export async function acceptPrices(): Promise<boolean> {
  const customer = $customer.get()
  if (!customer) return false
  return act(async () => {
    await client.api.acceptCartPrices({ userId: customer.id })
  })
}

/** Says a refusal, and in any case brings the provider's numbers afterwards; without a session `intent` waits for the next. */
async function act(work: () => Promise<void>, intent?: Intent): Promise<boolean> {
  changes += 1
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!leadToLogin(error, intent)) toast('error', error.message)
    return false
  } finally {
    changed()
  }
}

function changed(): void {
  tellOtherTabs('cart')
  askAgain()
}

function askAgain(): void {
  changes += 1
  void loadCart()
}

function lines(): CartLine[] {
  const shown = $cart.get()
  return shown.state === 'ready' ? linesOf(shown.cart) : []
}

function show(changedLines: CartLine[]): void {
  const cart = cartOf(changedLines)
  $cart.set({ state: 'ready', cart })
  $cartCount.set(cart.count)
}

/** Steps that were shown and not taken; the provider may not be there to ask for its number. */
function takeBack(lineId: string, by: number): void {
  const at = lines().findIndex(({ _id }) => _id === lineId)
  const line = lines()[at]
  if (line) show(lines().with(at, { ...line, quantity: line.quantity - by }))
}

function insert(line: CartLine, at: number): void {
  if ($cart.get().state !== 'ready' || lines().some(({ _id }) => _id === line._id)) return
  show(lines().toSpliced(at, 0, line))
}

function follow(): () => void {
  const stopSession = $customer.subscribe(() => void loadCart())
  const stopNews = followChanges('cart', askAgain)
  return () => {
    stopSession()
    stopNews()
  }
}

startInBrowser($cart, follow)
startInBrowser($cartCount, () => $cart.listen(() => undefined))
