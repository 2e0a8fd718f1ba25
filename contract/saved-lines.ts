import * as z from 'zod/mini'
import { CartLine } from './cart.ts'
import { endpoint, renamed } from './endpoint.ts'
import { Acknowledgement, Id } from './wire.ts'

/** The lines that the customer has saved for later, newest first. At most `MAX_SAVED_LINES`. */
export const getSavedLines = endpoint({
  method: 'GET',
  path: '/home/customer/saved-for-later/:id',
  input: renamed({ id: Id('id') }, { id: 'userId' }),
  output: z.object({ lines: z.array(CartLine) }),
  isForCustomers: true,
})

/** Moves a line from the cart to the list; units of a variant that is in the list already are added to it. */
export const saveForLater = endpoint({
  method: 'PUT',
  path: '/home/customer/save-for-later/:id',
  input: renamed({ id: Id('id') }, { id: 'lineId' }),
  output: Acknowledgement,
  isForCustomers: true,
})

const savedLineCall = {
  input: renamed({ id: Id('id') }, { id: 'savedId' }),
  output: Acknowledgement,
  isForCustomers: true,
} as const

/**
 * Moves a line back to the cart at the current price, with as many of its units as the stock allows. Fails with 422 if
 * the cart already holds the whole stock, or if the product is sold out.
 */
export const moveToCart = endpoint({ method: 'PUT', path: '/home/customer/move-to-cart/:id', ...savedLineCall })

export const removeSavedLine = endpoint({
  method: 'DELETE',
  path: '/home/customer/saved-for-later/:id',
  ...savedLineCall,
})
