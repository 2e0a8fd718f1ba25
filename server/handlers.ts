import { mailConfirmation } from './accounts/email-confirmation.ts'
import type { Db } from './db/types.ts'
import type { Handlers } from './platform/jobs.ts'
import type { Limits } from './http/limits.ts'
import type { Mail } from './mail/open.ts'
import { mailSeller } from './orders/seller-mail.ts'
import { mailOrder } from './orders/mail.ts'
import { mailReset } from './accounts/password-reset.ts'
import type { PaymentContext } from './payments/context.ts'
import { applyEvent } from './payments/events.ts'
import { payRefund } from './payments/reconciling.ts'

interface Options {
  db: Db
  mail: Mail
  publicUrl: string
  limits: Limits
  paymentContext: () => PaymentContext
  /** Sends the sandbox provider's webhook about a payment to the shop. */
  sendSandboxWebhook: (reference: string) => Promise<void>
}

/** The handler of each kind of job. */
export function jobHandlers(options: Options): Handlers {
  const { paymentContext, sendSandboxWebhook } = options
  return {
    passwordReset: ({ email }) => mailReset(options, email),
    emailConfirmation: ({ userId }) => mailConfirmation(options, userId),
    orderMail: about => mailOrder(options, about),
    sellerMail: about => mailSeller(options, about),
    paymentEvent: event => applyEvent(paymentContext(), event),
    refund: ({ attemptId }) => payRefund(paymentContext(), attemptId),
    sandboxWebhook: ({ reference }) => sendSandboxWebhook(reference),
  }
}
