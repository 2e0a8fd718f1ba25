import type { Hono } from 'hono'
import * as contract from '#contract/payments.ts'
import { bodiesUpTo } from '../http/bodies.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import { rejectEmbedded } from '../http/csrf.ts'
import { NOTHING_HERE, NotFoundError } from '../platform/errors.ts'
import type { PaymentContext } from './context.ts'
import { confirmOrder, getPayment } from './attempts.ts'
import { receiveWebhook } from './events.ts'
import { startPayment } from './starting.ts'

const WEBHOOK_BYTES = 256 * 1024

export function paymentRoutes(app: Hono<Env>, paymentContext: PaymentContext): void {
  mount(app, contract.startPayment, async ({ orderId }, c) => {
    await c.get('limits').take('confirm', signedIn(c).id)
    return startPayment(paymentContext, signedIn(c), orderId)
  })

  mount(app, contract.getPayment, ({ clientSecret }, c) => getPayment(paymentContext, signedIn(c).id, clientSecret))

  for (const call of [contract.confirmOrder, contract.confirmOrderAgain])
    mount(app, call, async ({ orderId }, c) => {
      rejectEmbedded(c)
      await c.get('limits').take('confirm', signedIn(c).id)
      return confirmOrder(paymentContext, signedIn(c).id, orderId)
    })
}

/** Webhooks come from servers without sessions: only the signature over the unchanged body authenticates them. */
export function webhookRoutes(app: Hono<Env>, paymentContext: PaymentContext): void {
  // Before the body is read: a client could send it slowly to hold the connection.
  app.use('/payment/webhook/:provider', async (c, next) => {
    if (c.req.param('provider') !== paymentContext.provider?.name) throw new NotFoundError(NOTHING_HERE)
    await next()
  })
  app.post('/payment/webhook/:provider', bodiesUpTo(WEBHOOK_BYTES), async c => {
    const body = new Uint8Array(await c.req.arrayBuffer())
    await receiveWebhook(paymentContext, c.req.param('provider'), c.req.raw.headers, body)
    return c.json({ received: true }, 200, { 'Cache-Control': 'no-store' })
  })
}
