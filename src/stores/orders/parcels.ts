import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { tellOtherTabs } from '../cross-tab-sync.ts'
import { toast } from '../ui/toasts.ts'
import { loadOrder } from './orders.ts'

/** Reports that a parcel of the displayed order has arrived, and shows the outcome in a toast. */
export async function receiveParcel(parcelId: string): Promise<void> {
  try {
    const { message } = await client.api.receiveParcel({ parcelId })
    toast('success', message)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.message)
  }
  tellOtherTabs('orders')
  await loadOrder()
}
