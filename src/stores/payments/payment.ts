import { atom } from 'nanostores'
import type { Order, PaymentStatus } from '#contract/orders.ts'
import { orderPath, resultPath } from '#contract/page-urls.ts'
import type { PaymentAttempt, PaymentProviderName } from '#contract/payments.ts'
import { ApiError } from '#lib/api.ts'
import { isPayable } from '#lib/orders/orders.ts'
import { rememberPaid } from '#lib/orders/paid-order.ts'
import { type ModalEnd, openInlineModal, ScriptUnavailableError } from '#lib/payments/inline-modal.ts'
import { client } from '../client.ts'
import { type Load, loadInto } from '../load.ts'
import { keepFresh, notifyOtherTabs } from '../cross-tab-sync.ts'
import { forgetOrder } from '../orders/forget-order.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

/**
 * `busy` while the modal is loading or open, `confirming` while the provider charges the customer, who may have to
 * answer their bank, `asking` while the shop checks the payment with the provider.
 */
export interface Paying {
  state: 'idle' | 'busy' | 'confirming' | 'asking'
  /** The reason why the last try failed. */
  problem?: string
}

/** The order to pay; `payUntil` is by this browser's clock, ISO 8601. */
export const $toPay = atom<Load<Order & { payUntil?: string }>>({ state: 'loading' })
/** The data with which the modal opens; null until loaded. */
export const $attempt = atom<PaymentAttempt | null>(null)
export const $paying = atom<Paying>({ state: 'idle' })

const MODALS: Record<PaymentProviderName, (attempt: PaymentAttempt) => Promise<ModalEnd>> = {
  sandbox: openInlineModal,
  flutterwave: openInlineModal,
  async stripe(attempt) {
    const { openStripeModal } = await import('#lib/payments/stripe-modal.ts').catch(() => {
      throw new ScriptUnavailableError()
    })
    return openStripeModal(attempt, isConfirming => $paying.set({ state: isConfirming ? 'confirming' : 'busy' }))
  },
}

/** Opens the modal of the attempt's provider; throws `ScriptUnavailableError`. Tests replace it. */
export const modal = { open: (attempt: PaymentAttempt) => MODALS[attempt.provider](attempt) }

const UNFINISHED = 'The payment was not finished. You can try again whenever you like.'

let openedId: string | undefined

/**
 * Loads the order and, if it can be paid, starts a payment attempt, unless one failed: then the customer must try
 * again. By default, reloads the order that is shown.
 */
export async function loadPayment(orderId = openedId): Promise<void> {
  if (!orderId || !$customer.get()) return
  openedId = orderId
  await loadOrder(orderId)
  const load = $toPay.get()
  if (load.state !== 'ready') return
  if (!isPayable(load.value)) return forgetSettled(load.value)
  const { state, problem } = $paying.get()
  if ($attempt.get() || state !== 'idle' || problem) return
  try {
    $attempt.set(await client.api.startPayment({ orderId }))
  } catch (error) {
    await showProblem(error)
  }
}

/** An order that was paid elsewhere, cancelled or refunded is no longer the one to be paid. */
function forgetSettled({ _id, paymentStatus }: Order): void {
  if (paymentStatus !== 'processing') forgetOrder(_id)
}

/** Opens the payment modal. Returns the path of the next page, or null to stay and try again. */
export async function pay(): Promise<string | null> {
  const orderId = openedId
  if (!orderId || $paying.get().state !== 'idle') return null
  $paying.set({ state: 'busy' })
  try {
    // Another tab may have paid or started a payment in the meantime.
    const attempt = await client.api.startPayment({ orderId })
    $attempt.set(attempt)
    const end = await modal.open(attempt)
    $paying.set({ state: 'asking' })
    return await finishPayment(orderId, attempt, end)
  } catch (error) {
    await showProblem(error)
    return null
  }
}

async function finishPayment(orderId: string, { clientSecret }: PaymentAttempt, end: ModalEnd): Promise<string | null> {
  const answer = await fetchStatus(orderId)
  // Unknown, or the provider may learn of the payment later: the result page continues polling.
  if (!answer || (end === 'done' && answer.paymentStatus === 'unpaid')) return resultPath(clientSecret)
  const next = nextPage(answer.paymentStatus, orderId, clientSecret)
  if (answer.paymentStatus === 'paid') {
    forgetOrder(orderId)
    rememberPaid(orderId)
  }
  if (next) notifyOtherTabs('orders')
  else $paying.set({ state: 'idle', problem: UNFINISHED })
  return next
}

function nextPage(status: PaymentStatus, orderId: string, clientSecret: string): string | null {
  if (status === 'paid') return '/dashboard'
  if (status === 'processing') return resultPath(clientSecret)
  return status === 'unpaid' ? null : orderPath(orderId)
}

async function fetchStatus(orderId: string): Promise<{ message: string; paymentStatus: PaymentStatus } | null> {
  try {
    return await client.api.confirmOrder({ orderId })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return null
  }
}

/** Shows why the payment cannot start and reloads the order. */
async function showProblem(error: unknown): Promise<void> {
  // The session has ended: the login says so.
  if (error instanceof ApiError && !$customer.get()) return
  const isKnown = error instanceof ApiError || error instanceof ScriptUnavailableError
  $paying.set({ state: 'idle', ...(isKnown && { problem: error.message }) })
  if (!isKnown) throw error
  toast('error', error.message)
  if (error instanceof ApiError && openedId) await loadOrder(openedId)
}

async function loadOrder(orderId: string): Promise<void> {
  await loadInto($toPay, async () => {
    const { order } = await client.api.getOrder({ orderId })
    const { secondsLeft } = order
    // With 0 the hold has ended, and no time can be named.
    return secondsLeft ? { ...order, payUntil: new Date(Date.now() + secondsLeft * 1000).toISOString() } : order
  })
}

startInBrowser($toPay, () => {
  const stop = new AbortController()
  // When a page is restored from the back/forward cache, its payment is no longer running.
  addEventListener('pageshow', ({ persisted }) => persisted && $paying.set({ state: 'idle' }), { signal: stop.signal })
  return [$customer.listen(() => void loadPayment()), keepFresh('orders', () => void loadPayment()), () => stop.abort()]
})
