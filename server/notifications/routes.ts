import type { Hono } from 'hono'
import * as contract from '#contract/notifications.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import { markRead, readNotifications } from './notifications.ts'

export function notificationRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getNotifications, async (_input, c) => ({
    success: true,
    notifications: await readNotifications(db, signedIn(c).id),
  }))

  mount(app, contract.readNotification, async ({ id }, c) => {
    await markRead(db, signedIn(c).id, id)
    return { message: 'Notification marked as read' }
  })
}
