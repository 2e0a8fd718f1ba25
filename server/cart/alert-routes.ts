import type { Context, Hono } from 'hono'
import * as contract from '#contract/wishlist.ts'
import type { Db } from '../db/types.ts'
import { endReviewRequests } from '../accounts/customers.ts'
import { isEmailConfirmed } from '../accounts/email-confirmation.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import { type Mailing, UNSUBSCRIBE_PATH, type UnsubscribeLinks } from '../mail/unsubscribe-links.ts'
import { NotFoundError } from '../platform/errors.ts'
import { dollars } from '../platform/usd.ts'
import { addAlert, readAlerts, removeAlert, removeAllAlerts } from './alerts.ts'

/** How a mailing ends, and what the customer then reads. */
const ENDINGS: Record<Mailing, { end: (db: Db, userId: string) => Promise<void>; message: string }> = {
  alerts: {
    end: removeAllAlerts,
    message: 'All your alerts have ended. We will not write to you about these products again',
  },
  reviews: { end: endReviewRequests, message: 'We will not ask you for reviews again' },
}

interface Services {
  db: Db
  unsubscribeLinks: UnsubscribeLinks
}

/**
 * The address of the mails' `List-Unsubscribe`. Call it before `rejectForgery`: mail providers send a form from their
 * own servers or pages, and only the token counts. Limited by customer, because many share the address of one server.
 */
export function unsubscribeRoutes(app: Hono<Env>, services: Services): void {
  app.post(UNSUBSCRIBE_PATH, async c => {
    const ended = await endMailing(c, services, c.req.query('token') ?? '')
    return c.json(ended, 200, { 'Cache-Control': 'no-store' })
  })
}

export function alertRoutes(app: Hono<Env>, services: Services): void {
  const { db } = services
  mount(app, contract.getAlerts, async ({ userId }, c) => ({ alerts: await readAlerts(db, signedInAs(c, userId)) }))

  mount(
    app,
    contract.addAlert,
    async (alert, c) => {
      const { id } = signedIn(c)
      await c.get('limits').take('alerts', id)
      await addAlert(db, id, alert)
      const { belowCents } = alert
      const when = belowCents === undefined ? 'it is back' : `it costs less than ${dollars(belowCents)}`
      const message = `We will tell you once when ${when}`
      if (await isEmailConfirmed(db, id)) return { message }
      return { message: `${message}. Confirm your email address to get an email too` }
    },
    { status: 201 },
  )

  mount(app, contract.removeAlert, async ({ alertId }, c) => {
    await removeAlert(db, signedIn(c).id, alertId)
    return { message: 'The alert has ended' }
  })

  mount(app, contract.endAlerts, async ({ token }, c) => {
    await c.get('limits').take('alerts', c.get('ip'))
    return endMailing(c, services, token)
  })
}

async function endMailing(
  c: Context<Env>,
  { db, unsubscribeLinks }: Services,
  token: string,
): Promise<{ message: string }> {
  const found = unsubscribeLinks.readToken(token)
  if (!found) throw new NotFoundError('This link is incomplete or has expired')
  // Counted separately from new alerts, so that a customer who has set too many can still end them.
  await c.get('limits').take('alerts', `links of ${found.userId}`)
  const { end, message } = ENDINGS[found.mailing]
  await end(db, found.userId)
  return { message }
}
