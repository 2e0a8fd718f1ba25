import { ApiError } from '#lib/api.ts'
import { reloadCart } from '../cart/cart.ts'
import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { toast } from '../ui/toasts.ts'

/**
 * Puts an order's products into the cart. A toast shows the outcome. Returns texts about products that were not added.
 */
export async function orderAgain(orderId: string): Promise<string[]> {
  try {
    const { message, notAdded } = await client.api.orderAgain({ orderId })
    toast('success', message, { link: { text: 'View cart', href: '/cart' } })
    notifyOtherTabs('cart')
    reloadCart()
    return notAdded
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.message)
    return Object.values(error.fields ?? {})
  }
}
