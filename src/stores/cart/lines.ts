import type { CartLine } from '#contract/cart.ts'
import { cartLinesOf, cartOf } from '#contract/cart-sums.ts'
import type { Intent } from '#lib/accounts/intent.ts'
import { ApiError } from '#lib/api.ts'
import { oneMore } from '#lib/cart/quantity.ts'
import { leadToLogin } from '../accounts/session.ts'
import { client } from '../page-client.ts'
import { toast } from '../ui/toasts.ts'
import { $cart, $cartCount, $isSending, addingCount, cartData, changeCart, loadCart } from './cart.ts'
import { type Unconfirmed, unconfirmedByLine } from './unconfirmed.ts'

/** The last sending of changes: true if the provider accepted all of them. */
let sent: Promise<boolean> = Promise.resolve(true)
/** The change of a variant that is being sent. */
let changing: Promise<boolean> | undefined

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
  cartData.invalidate()
  showQuantity(lineId, next)
  unconfirmedOf(lineId).steps += by
  if (!$isSending.get()) sent = sendChanges()
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
  cartData.invalidate()
  const change = unconfirmedOf(lineId)
  change.typed = { quantity, confirmed: confirmedQuantity(line) }
  // The typed quantity replaces all steps except the one that is being sent.
  change.steps = change.sentStep
  showQuantity(lineId, quantity)
  if (!$isSending.get()) sent = sendChanges()
}

/** Repeats the steps that were waiting for a login, on the freshly loaded cart. */
export async function repeatSteps(lineId: string, by: number): Promise<void> {
  await loadCart()
  for (let left = Math.abs(by); left > 0; left -= 1) changeQuantity(lineId, by > 0 ? 1 : -1)
}

/** Waits for the changes of quantities and variants being sent. False if one is rejected, which a toast shows. */
export async function settled(): Promise<boolean> {
  return (await Promise.all([!$isSending.get() || sent, changing ?? true])).every(Boolean)
}

async function sendChanges(): Promise<boolean> {
  $isSending.set(true)
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
    $isSending.set(false)
    cartData.reloadEverywhere()
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
 * Sends all waiting changes now, because leaving the page would lose them. Steps are sent as steps, not as a quantity:
 * the step already under way may arrive after them.
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

/**
 * Whether a request failed without a response. When the page is left, its requests fail like this shortly before the
 * `pagehide` listeners run, and nothing may be reverted before `sendRest` has run.
 */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && error.isSilent
}

function nextTask(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}

/** Removes a line at once and returns the provider's message, or puts the line back and returns null. */
export async function removeLine(lineId: string): Promise<string | null> {
  const at = lines().findIndex(({ _id }) => _id === lineId)
  const line = lines()[at]
  const confirmed = line && confirmedQuantity(line)
  showLines(lines().filter(({ _id }) => _id !== lineId))
  unconfirmedByLine.delete(lineId)
  let message: string | null = null
  await changeCart(async () => {
    message = (await client.api.removeCartLine({ lineId })).message
  })
  if (message === null && line && confirmed) insert({ ...line, quantity: confirmed }, at)
  return message
}

/** Undoes `removeLine`. Returns whether the provider accepted it. */
export function restoreLine(lineId: string): Promise<boolean> {
  return changeCart(async () => {
    await client.api.restoreCartLine({ lineId })
  })
}

/** Changes the variant of a line; another line of that variant joins it. Returns whether the provider accepted it. */
export async function changeVariant(lineId: string, variantId: string): Promise<boolean> {
  const change = settled().then(() => {
    // The form of a line loses the focus, and so saves its choice, when the line is removed.
    if (!lineOf(lineId)) return false
    return changeCart(async () => {
      const { message } = await client.api.changeCartVariant({ lineId, variantId })
      toast('success', message)
    })
  })
  const all = Promise.all([changing ?? true, change]).then(answers => answers.every(Boolean))
  changing = all
  try {
    return await change
  } finally {
    await all
    if (changing === all) changing = undefined
  }
}

function unconfirmedOf(lineId: string): Unconfirmed {
  const change = unconfirmedByLine.get(lineId) ?? { steps: 0, sentStep: 0 }
  unconfirmedByLine.set(lineId, change)
  return change
}

/** The quantity that the provider has, of a line as it is shown. */
function confirmedQuantity({ _id, quantity }: CartLine): number {
  const { typed, steps } = unconfirmedOf(_id)
  return typed?.confirmed ?? quantity - steps
}

function nextChange(): [lineId: string, Unconfirmed] | undefined {
  const changes = [...unconfirmedByLine]
  return changes.find(([, { typed }]) => typed) ?? changes.find(([, { steps }]) => steps !== 0)
}

/** False if the line was removed while the change was being sent. */
function isCurrent(lineId: string, change: Unconfirmed): boolean {
  return unconfirmedByLine.get(lineId) === change
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
