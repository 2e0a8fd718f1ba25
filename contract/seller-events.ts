import * as z from 'zod/mini'
import { sendMessage } from './chat.ts'
import { RETURN_ANSWER_LENGTH } from './rules.ts'
import { Id, isBlank, plain } from './wire.ts'

const customerId = Id('customerId')

/** A message from a seller, whom the handshake token identifies. */
export const SellerMessageSent = z.object({
  customerId,
  text: sendMessage.input.shape.text,
  clientId: Id('clientId'),
})
export const SellerHasSeen = z.object({ customerId })
/** Without `customerId`, the response lists the customers instead of messages. */
export const MessagesAsked = z.object({ customerId: z.optional(customerId), since: z.optional(Id('since')) })

const returnId = Id('returnId')

/** The response lists the open returns, newest first; with `all`, also those that were declined or have ended. */
export const ReturnsAsked = z.object({ all: z.optional(z.boolean()), before: z.optional(Id('before')) })
export const ReturnMeant = z.object({ returnId })
export const ReturnDeclined = z.object({
  returnId,
  answer: plain('answer').check(
    z.refine(value => !isBlank(value), 'Say why'),
    z.maxLength(RETURN_ANSWER_LENGTH, `At most ${RETURN_ANSWER_LENGTH} characters`),
  ),
})
/** With `restock`, the units are for sale again. */
export const ReturnReceived = z.object({ returnId, restock: z._default(z.boolean(), false) })
