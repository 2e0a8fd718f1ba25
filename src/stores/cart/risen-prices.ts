import type { CartLine } from '#contract/cart.ts'
import { ApiError } from '#lib/api.ts'
import { hasRisen, unitCents } from '#lib/cart/cart-line.ts'
import { $customer } from '../accounts/session.ts'
import { client } from '../page-client.ts'
import { changeCart } from './cart.ts'

/**
 * Accepts the current prices of everything in the cart. If other prices have risen than those of the `shown` lines, a
 * toast says so instead, and `$cart` then has them. Returns whether the provider accepted it.
 */
export async function acceptPrices(shown: CartLine[]): Promise<boolean> {
  const customer = $customer.get()
  if (!customer) return false
  const shownCents = new Map(shown.map(line => [line._id, unitCents(line)]))
  return changeCart(async () => {
    const { groups } = await client.api.getCart({ userId: customer.id })
    const risen = groups.flatMap(({ products }) => products).filter(hasRisen)
    if (risen.some(line => unitCents(line) !== shownCents.get(line._id)))
      throw new ApiError(409, 'A price has changed again')
    await client.api.acceptCartPrices({ userId: customer.id })
  })
}
