import { atom } from 'nanostores'
import type { AvailablePart, Return, ReturnRequest } from '#contract/returns.ts'
import { events } from '#contract/realtime.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { keepFresh, notifyOtherTabs } from '../cross-tab-sync.ts'
import { clear, type Load, loadInto } from '../load.ts'
import { loadOrder } from '../orders/orders.ts'
import { onEvent } from '../socket-events.ts'
import { startInBrowser } from '../start.ts'
import { sayIfOffline } from '../ui/offline.ts'
import { showOutcome } from '../ui/outcome.ts'
import { toast } from '../ui/toasts.ts'

interface ReturnsView {
  available: AvailablePart[]
  returns: Return[]
}

/** The cancellations and returns of the displayed order, and the lines that can be cancelled or returned now. */
export const $returns = atom<Load<ReturnsView>>({ state: 'loading' })

let shownId: string | undefined

/** Loads an order's returns; by default, reloads those that are shown. */
export async function loadReturns(orderId = shownId): Promise<void> {
  if (!orderId) return
  if (orderId !== shownId) clear($returns)
  shownId = orderId
  await loadInto($returns, () => client.api.getReturns({ orderId }))
}

/**
 * Cancels or returns lines, and sends the pictures after that. Throws an `ApiError` with fields when the lines cannot
 * be cancelled or returned; a toast says that pictures could not be sent.
 */
export async function requestReturn(request: ReturnRequest, pictures: File[] = []): Promise<void> {
  try {
    const { message, returnId } = await client.api.requestReturn(request)
    if (pictures.length === 0 || (await sendPictures(returnId, pictures))) toast('success', message)
  } finally {
    await reload()
  }
}

/** Adds pictures to a return. Returns false on failure, which a toast shows. */
export async function addPictures(returnId: string, pictures: File[]): Promise<boolean> {
  if (sayIfOffline()) return false
  const isSent = await sendPictures(returnId, pictures)
  if (isSent) toast('success', 'The shop can see your pictures')
  await reload()
  return isSent
}

async function sendPictures(returnId: string, files: File[]): Promise<boolean> {
  try {
    await client.api.addReturnPictures({ returnId, files })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', 'The pictures could not be sent. Please add them again.', { details: error.message })
    return false
  }
}

/**
 * Withdraws a request, reports the goods as sent back, or asks the operator to decide. Returns whether it succeeded; a
 * toast shows the outcome.
 */
export async function moveReturn(
  call: 'withdrawReturn' | 'escalateReturn' | 'sendReturnBack',
  returnId: string,
  tracking = '',
): Promise<boolean> {
  const isMoved = await showOutcome(() => client.api[call]({ returnId, tracking }))
  await reload()
  return isMoved
}

async function reload(): Promise<void> {
  notifyOtherTabs('orders')
  await Promise.all([loadReturns(), loadOrder()])
}

startInBrowser($returns, () => [
  keepFresh('orders', () => void loadReturns()),
  onEvent(events.notification, () => void loadReturns()),
])
