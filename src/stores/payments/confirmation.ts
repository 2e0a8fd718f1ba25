import { atom } from 'nanostores'
import { events } from '#contract/realtime.ts'
import { ApiError } from '#lib/api.ts'
import { POLL_MS } from '#lib/constants.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { forgetOrder } from '../orders/forget-order.ts'
import { onEvent } from '../socket-events.ts'

/**
 * The outcome of a payment. `unknown`: the provider does not know it, or it belongs to another customer. `unreached`
 * and `processing` continue polling. `unfinished`: the payment provider still has no payment after several tries.
 */
export type Confirmation =
  | { state: 'asking' | 'unreached' | 'unknown' }
  | { state: 'succeeded' | 'processing' | 'unfinished' | 'failed' | 'refunded'; orderId: string }

/** How many times to ask while the attempt is open: the provider may learn of the payment after the customer. */
const OPEN_TRIES = 3

export const $confirmation = atom<Confirmation>({ state: 'asking' })

/** Polls at growing intervals until the payment is settled. Returns a function that stops it. */
export function followPayment(clientSecret: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  async function poll(tries: number): Promise<void> {
    const found = await fetchOutcome(clientSecret)
    if (isStopped) return
    const isEarly = found.state === 'unfinished' && tries < OPEN_TRIES
    $confirmation.set(isEarly ? { state: 'asking' } : found)
    if (!isEarly && found.state !== 'processing' && found.state !== 'unreached') return
    const wait = POLL_MS[Math.min(tries, POLL_MS.length - 1)]
    // Notifications in quick succession begin several polls: only the last goes on.
    clearTimeout(timer)
    timer = setTimeout(() => void poll(tries + 1), wait)
  }

  $confirmation.set({ state: 'asking' })
  void poll(0)
  // The payment provider may learn of the payment minutes later; then the customer is notified.
  const stopListening = onEvent(events.notification, () => {
    if (isUnpaid($confirmation.get())) void poll(OPEN_TRIES)
  })
  return () => {
    isStopped = true
    stopListening()
    clearTimeout(timer)
  }
}

function isUnpaid({ state }: Confirmation): boolean {
  return state === 'unfinished' || state === 'failed'
}

async function fetchOutcome(clientSecret: string): Promise<Confirmation> {
  if (!clientSecret) return { state: 'unknown' }
  try {
    const { status, orderId } = await client.api.getPayment({ clientSecret })
    if (status === 'processing') return { state: 'processing', orderId }
    if (status === 'open') return { state: 'unfinished', orderId }
    if (status === 'failed') return { state: 'failed', orderId }
    return await confirm(orderId, status)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { state: error.status === 404 || error.status === 400 ? 'unknown' : 'unreached' }
  }
}

/** Asks for the order's payment status. An order whose payment is refunded may be waiting for another payment. */
async function confirm(orderId: string, status: 'succeeded' | 'refunded'): Promise<Confirmation> {
  const { paymentStatus } = await client.api.confirmOrder({ orderId })
  const isWaiting = paymentStatus === 'unpaid' || paymentStatus === 'processing'
  if (isWaiting && status === 'succeeded') return { state: 'processing', orderId }
  if (!isWaiting) forgetOrder(orderId)
  notifyOtherTabs('orders')
  return { state: status === 'succeeded' && paymentStatus === 'paid' ? 'succeeded' : 'refunded', orderId }
}
