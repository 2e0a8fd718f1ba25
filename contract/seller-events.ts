import * as z from 'zod/mini'
import { sendMessage } from './chat.ts'
import { text } from './wire.ts'

const customerId = text('customerId', 100)

/** What sellers say; who they are stands in the handshake. */
export const SellerMessageSent = z.object({
  customerId,
  text: sendMessage.input.shape.text,
  clientId: text('clientId', 100),
})
export const SellerHasSeen = z.object({ customerId })
/** Without a customer: of the customers themselves. */
export const MessagesAsked = z.object({ customerId: z.optional(customerId), since: z.optional(text('since', 100)) })
