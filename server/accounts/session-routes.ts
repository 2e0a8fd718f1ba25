import type { Hono } from 'hono'
import * as contract from '#contract/profile.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import { endSession, listSessions } from './session-list.ts'
import type { Sessions } from './sessions.ts'

export function sessionRoutes(app: Hono<Env>, { db, sessions }: { db: Db; sessions: Sessions }): void {
  mount(app, contract.getSessions, async (_input, c) => ({ sessions: await listSessions(db, signedIn(c)) }))

  mount(app, contract.endSession, async ({ sessionId }, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('accountChange', id)
    await endSession({ db, sessions }, id, sessionId, originOf(c))
    return { message: 'That device is logged out' }
  })

  mount(app, contract.endOtherSessions, async (_input, c) => {
    const { id, sessionId } = signedIn(c)
    await c.get('limits').take('accountChange', id)
    await sessions.endOwn(id, { except: sessionId }, originOf(c))
    return { message: 'All other devices are logged out' }
  })
}
