import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { PaymentStatus } from './orders.ts'
import { Acknowledgement, Id, Usd } from './wire.ts'

/**
 * An order that has not been paid yet. `secondsLeft` is how long it still holds its units, by the provider's clock.
 * While a payment is in progress, `paymentStatus` is 'processing'. `images` are pictures of its first products.
 */
export const UnpaidOrder = renamed(
  {
    _id: z.string(),
    number: z.string(),
    price: Usd,
    items: z.int(),
    payment_status: PaymentStatus,
    secondsLeft: z.int(),
    images: z.array(z.string()),
  },
  { price: 'priceCents', payment_status: 'paymentStatus' },
)
export type UnpaidOrder = z.output<typeof UnpaidOrder>

/** Newest first. */
export const getUnpaidOrders = endpoint({
  method: 'GET',
  path: '/home/customer/unpaid-orders/:id',
  input: renamed({ id: Id('id') }, { id: 'userId' }),
  output: z.object({ orders: z.array(UnpaidOrder) }),
  isForCustomers: true,
})

/**
 * Cancels an unpaid order and puts its products back into the cart, both or neither. Does nothing to an order that is
 * already cancelled. Fails with 422 if it is paid, a payment is in progress, or its lines do not fit into the cart.
 */
export const putBackOrder = endpoint({
  method: 'PUT',
  path: '/home/customer/put-back-order/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

/**
 * Raises the quantities in the cart to those of an order, at current prices; repeating the call adds nothing more.
 * `notAdded` names products that are no longer sold or have fewer units left. Fails with 422, and adds nothing, if the
 * cart has no room or nothing can be bought; `fields` then says why.
 */
export const orderAgain = endpoint({
  method: 'PUT',
  path: '/home/customer/order-again/:orderId',
  input: z.object({ orderId: Id('orderId') }),
  output: z.object({ message: z.string(), notAdded: z.array(z.string()) }),
  isForCustomers: true,
})
