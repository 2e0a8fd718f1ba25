import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { PaymentStatus } from './orders.ts'
import { text, Usd } from './wire.ts'

const Id = (name: string) => text(name, 200)

export const PaymentProviderName = z.enum(['sandbox', 'flutterwave', 'stripe'])
export type PaymentProviderName = z.output<typeof PaymentProviderName>

/**
 * What the pay button opens the provider's modal with. `reference` is ours, bound to order, amount and currency;
 * `clientSecret` is what /order/confirm is asked with. `movesMoney` is false in the sandbox.
 */
export const PaymentAttempt = renamed(
  {
    provider: PaymentProviderName,
    publicKey: z.string(),
    scriptUrl: z.string(),
    tx_ref: z.string(),
    clientSecret: z.string(),
    amount: Usd,
    currency: z.literal('USD'),
    options: z.string(),
    customer: z.object({ email: z.string(), phone_number: z.string(), name: z.string() }),
    title: z.string(),
    redirectUrl: z.string(),
    payloadHash: z.optional(z.string()),
    movesMoney: z.boolean(),
  },
  { tx_ref: 'reference', amount: 'amountCents' },
)
export type PaymentAttempt = z.output<typeof PaymentAttempt>

/** Begins to pay an order, or goes on with the attempt that is open; refused (422) for one that is paid or cancelled. */
export const startPayment = endpoint({
  method: 'POST',
  path: '/payment/attempts',
  input: z.object({ orderId: Id('orderId') }),
  output: PaymentAttempt,
  isForCustomers: true,
})

/** What has become of an attempt, as the provider says when it is asked; `refunded` is paid and on its way back, or there. */
export const getPayment = endpoint({
  method: 'GET',
  path: '/payment/attempts/:clientSecret',
  input: z.object({ clientSecret: Id('clientSecret') }),
  output: z.object({ status: z.enum(['succeeded', 'processing', 'failed', 'refunded', 'open']), orderId: z.string() }),
  isForCustomers: true,
})

const confirmation = {
  method: 'GET',
  input: z.object({ orderId: Id('orderId') }),
  output: renamed(
    { message: z._default(z.string(), ''), payment_status: z._default(PaymentStatus, 'processing') },
    { payment_status: 'paymentStatus' },
  ),
  isForCustomers: true,
} as const

/** Asks the payment provider about the order and answers what it says; the browser's word counts for nothing. */
export const confirmOrder = endpoint({ ...confirmation, path: '/order/confirm/:orderId' })

/** The other spelling of the family's clients. */
export const confirmOrderAgain = endpoint({ ...confirmation, path: '/api/order/confirm/:orderId' })
