import * as z from 'zod/mini'
import { endpoint, NoInput } from './endpoint.ts'
import { Acknowledgement, Id } from './wire.ts'

/** One browser in which the customer is signed in. */
const CustomerSession = z.object({
  id: z.string(),
  /** In plain words: 'Chrome on Android'. */
  device: z.string(),
  startedAt: z.iso.datetime(),
  /** When the browser last renewed its token, which it does every few minutes while it is used. */
  lastUsedAt: z.iso.datetime(),
  /** The session that asks. */
  isCurrent: z.boolean(),
})
export type CustomerSession = z.output<typeof CustomerSession>

/** The customer's sessions, this one first, then those used last. */
export const getSessions = endpoint({
  method: 'GET',
  path: '/customer/sessions',
  input: NoInput,
  output: z.object({ sessions: z.array(CustomerSession) }),
  isForCustomers: true,
})

/** Ends one session of the customer at once; also succeeds if it has ended already. */
export const endSession = endpoint({
  method: 'DELETE',
  path: '/customer/sessions/:sessionId',
  input: z.object({ sessionId: Id('sessionId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Ends all sessions of the customer but the one that asks. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/customer/sessions',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})
