import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { PaymentStatus } from './orders.ts'
import { text, Usd } from './wire.ts'

const Id = (name: string) => text(name, 200)

export const PaymentProviderName = z.enum(['sandbox', 'flutterwave', 'stripe'])
export type PaymentProviderName = z.output<typeof PaymentProviderName>

export type PaymentMethod = 'Card' | 'Mobile money' | 'USSD'

/**
 * The data that the pay button needs to open the provider's modal. Our `reference` is bound to order, amount and
 * currency. `/order/confirm` looks the payment up by `clientSecret`. `movesMoney` is false in the sandbox.
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

/** Starts paying an order or continues its open attempt. Fails with 422 if the order is paid or cancelled. */
export const startPayment = endpoint({
  method: 'POST',
  path: '/payment/attempts',
  input: z.object({ orderId: Id('orderId') }),
  output: PaymentAttempt,
  isForCustomers: true,
})

/** Status of an attempt, fetched from the payment provider. `refunded`: paid, and the refund is pending or done. */
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

/** Asks the payment provider for the order's payment status; the browser is never trusted about it. */
export const confirmOrder = endpoint({ ...confirmation, path: '/order/confirm/:orderId' })

/** The same call under the path that other clients of this API family use. */
export const confirmOrderAgain = endpoint({ ...confirmation, path: '/api/order/confirm/:orderId' })
