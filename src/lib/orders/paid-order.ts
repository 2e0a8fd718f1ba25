import { storeInTab, PAID_ORDER, takeFromTab } from '#lib/session-storage.ts'

interface Paid {
  paidOrder?: string
}

/** Stores the id of the order that was just paid, so that the dashboard opens with its summary. */
export function rememberPaid(orderId: string): void {
  storeInTab(PAID_ORDER, { paidOrder: orderId } satisfies Paid)
}

/**
 * The id of the order that was paid on the previous page, if any. It is stored with this entry of the browser's
 * history, so that Back and a reload show the summary again, but a later visit does not.
 */
export function paidOrderId(): string | null {
  const paid = takeFromTab(PAID_ORDER) as Paid | null
  if (paid) history.replaceState({ ...(history.state as object | null), ...paid }, '')
  return (history.state as Paid | null)?.paidOrder ?? null
}
