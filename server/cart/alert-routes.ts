import type { Hono } from 'hono'
import * as contract from '#contract/wishlist.ts'
import type { Db } from '../db/types.ts'
import { isEmailConfirmed } from '../accounts/email-confirmation.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import { NotFoundError } from '../platform/errors.ts'
import { dollars } from '../platform/usd.ts'
import type { AlertLinks } from './alert-mail.ts'
import { addAlert, readAlerts, removeAlert, removeAllAlerts } from './alerts.ts'

export function alertRoutes(app: Hono<Env>, { db, alertLinks }: { db: Db; alertLinks: AlertLinks }): void {
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
    const userId = alertLinks.customerOf(token)
    if (userId === null) throw new NotFoundError('This link is incomplete or has expired')
    await removeAllAlerts(db, userId)
    return { message: 'All your alerts have ended' }
  })
}
