import type { Hono } from 'hono'
import * as contract from '#contract/wishlist.ts'
import type { Db } from '../db/types.ts'
import { isEmailConfirmed } from '../accounts/email-confirmation.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import { NotFoundError } from '../platform/errors.ts'
import { dollars } from '../platform/usd.ts'
import { type AlertLinks, UNSUBSCRIBE_PATH } from './alert-mail.ts'
import { addAlert, readAlerts, removeAlert, removeAllAlerts } from './alerts.ts'

const ENDED = 'All your alerts have ended'

interface Services {
  db: Db
  alertLinks: AlertLinks
}

/**
 * The address of the mails' `List-Unsubscribe`. Call it before `rejectForgery`: mail providers send a form from their
 * own servers or pages, and only the token counts. Not limited by address, because many customers share theirs.
 */
export function unsubscribeRoutes(app: Hono<Env>, services: Services): void {
  app.post(UNSUBSCRIBE_PATH, async c => {
    await endAlerts(services, c.req.query('token') ?? '')
    return c.json({ message: ENDED }, 200, { 'Cache-Control': 'no-store' })
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
    await endAlerts(services, token)
    return { message: ENDED }
  })
}

async function endAlerts({ db, alertLinks }: Services, token: string): Promise<void> {
  const userId = alertLinks.customerOf(token)
  if (userId === null) throw new NotFoundError('This link is incomplete or has expired')
  await removeAllAlerts(db, userId)
}
