import * as z from 'zod/mini'
import { sendMessage } from './chat.ts'
import { Id } from './wire.ts'

const customerId = Id('customerId')

/** What sellers send. The handshake token identifies them. */
export const SellerMessageSent = z.object({
  customerId,
  text: sendMessage.input.shape.text,
  clientId: Id('clientId'),
})
export const SellerHasSeen = z.object({ customerId })
/** Without `customerId`, the response lists the customers instead of messages. */
export const MessagesAsked = z.object({ customerId: z.optional(customerId), since: z.optional(Id('since')) })
