import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { POLL_MS } from '#lib/constants.ts'
import { client } from '../client.ts'
import { tellOtherTabs } from '../cross-tab-sync.ts'
import { forgetOrder } from '../orders/order-id.ts'

/**
 * What became of a payment. `unknown` is one that nobody can be asked about, or not this customer; `unreached` goes on
 * asking, as `processing` does. `unfinished` is one of which the provider has heard nothing for a while.
 */
export type Confirmation =
  | { state: 'asking' | 'unreached' | 'unknown' }
  | { state: 'succeeded' | 'processing' | 'unfinished' | 'failed' | 'refunded'; orderId: string }

/** A provider may know of a payment a moment later than the customer: so often it is asked before that counts. */
const OPEN_TRIES = 3

export const $confirmation = atom<Confirmation>({ state: 'asking' })

/** Asks until the payment is settled, less and less often; answers how to stop. */
export function followPayment(clientSecret: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  async function step(tries: number): Promise<void> {
    const found = await askOnce(clientSecret)
    if (isStopped) return
    const isEarly = found.state === 'unfinished' && tries < OPEN_TRIES
    $confirmation.set(isEarly ? { state: 'asking' } : found)
    if (!isEarly && found.state !== 'processing' && found.state !== 'unreached') return
    const wait = POLL_MS[Math.min(tries, POLL_MS.length - 1)]
    timer = setTimeout(() => void step(tries + 1), wait)
  }

  $confirmation.set({ state: 'asking' })
  void step(0)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

async function askOnce(clientSecret: string): Promise<Confirmation> {
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

/** The order is paid when the shop says so; one whose payment goes back may wait for another. */
async function confirm(orderId: string, status: 'succeeded' | 'refunded'): Promise<Confirmation> {
  const { paymentStatus } = await client.api.confirmOrder({ orderId })
  const isWaiting = paymentStatus === 'unpaid' || paymentStatus === 'processing'
  if (isWaiting && status === 'succeeded') return { state: 'processing', orderId }
  if (!isWaiting) forgetOrder(orderId)
  tellOtherTabs('orders')
  return { state: status === 'succeeded' && paymentStatus === 'paid' ? 'succeeded' : 'refunded', orderId }
}
