import * as z from 'zod/mini'
import { sendMessage } from './chat.ts'
import { Id } from './wire.ts'

const customerId = Id('customerId')

/** What sellers say; who they are stands in the handshake. */
export const SellerMessageSent = z.object({
  customerId,
  text: sendMessage.input.shape.text,
  clientId: Id('clientId'),
})
export const SellerHasSeen = z.object({ customerId })
/** Without a customer: of the customers themselves. */
export const MessagesAsked = z.object({ customerId: z.optional(customerId), since: z.optional(Id('since')) })
