import type { Hono } from 'hono'
import * as contract from '#contract/profile.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import type { Jobs } from '../platform/jobs.ts'
import { writeFullDate } from '../mail/dates.ts'
import { cancelDeletion, requestDeletion } from './deletion.ts'
import type { Passwords } from './passwords.ts'
import { provePassword } from './profile-routes.ts'
import type { Sessions } from './sessions.ts'

interface Options {
  db: Db
  passwords: Passwords
  sessions: Sessions
  jobs: Jobs
}

export function deletionRoutes(app: Hono<Env>, options: Options): void {
  mount(app, contract.deleteAccount, async ({ password }, c) => {
    await provePassword(c, options, password)
    await c.get('limits').take('accountMail', signedIn(c).id)
    const { at, waitsForOrders } = await requestDeletion(options, signedIn(c).id, originOf(c))
    const later = waitsForOrders ? ', once your orders have arrived and your returns are complete' : ''
    return { message: `Your account will be deleted on ${writeFullDate(at)}${later}` }
  })

  mount(app, contract.keepAccount, async (_input, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('accountChange', id)
    await cancelDeletion(options.db, id, originOf(c))
    return { message: 'Your account stays' }
  })
}
