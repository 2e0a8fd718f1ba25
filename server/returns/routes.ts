import type { Hono } from 'hono'
import * as contract from '#contract/returns.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import type { Jobs } from '../platform/jobs.ts'
import { readReturns } from './listing.ts'
import { moveReturn } from './moving.ts'
import { requestReturn } from './requesting.ts'

export function returnRoutes(app: Hono<Env>, { db, jobs }: { db: Db; jobs: Jobs }): void {
  mount(app, contract.getReturns, ({ orderId }, c) => readReturns(db, signedIn(c).id, orderId))

  mount(app, contract.requestReturn, async (request, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('returns', id)
    const isDone = await requestReturn(db, jobs, id, request)
    return { message: isDone ? 'It is cancelled. Your money goes back to you' : 'We have told the shop' }
  })

  mount(app, contract.withdrawReturn, async ({ returnId }, c) => {
    await moveReturn(db, jobs, returnId, { event: 'withdraw', owner: { userId: signedIn(c).id } })
    return { message: 'You have taken it back' }
  })

  mount(app, contract.sendReturnBack, async ({ returnId, tracking }, c) => {
    await moveReturn(db, jobs, returnId, { event: 'sendBack', owner: { userId: signedIn(c).id }, tracking })
    return { message: 'Thank you. We write as soon as it has arrived' }
  })

  mount(app, contract.escalateReturn, async ({ returnId }, c) => {
    await moveReturn(db, jobs, returnId, { event: 'escalate', owner: { userId: signedIn(c).id } })
    return { message: 'We look at it and decide' }
  })
}
