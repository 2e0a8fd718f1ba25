import type { Hono } from 'hono'
import * as contract from '#contract/returns.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { MountUpload } from '../uploads/routes.ts'
import { readReturns, toReturn } from './listing.ts'
import { moveReturn } from './moving.ts'
import { addPictures, type AddressOf } from './pictures.ts'
import { requestReturn } from './requesting.ts'
import { REFUNDED } from './transitions.ts'

interface Options {
  db: Db
  jobs: Jobs
  mountUpload: MountUpload
  addressOf: AddressOf
}

export function returnRoutes(app: Hono<Env>, { db, jobs, mountUpload, addressOf }: Options): void {
  mount(app, contract.getReturns, async ({ orderId }, c) => {
    const { available, returns } = await readReturns(db, signedIn(c).id, orderId)
    return { available, returns: returns.map(found => toReturn(found, addressOf)) }
  })

  mount(app, contract.requestReturn, async (request, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('returns', id)
    const { returnId, status, isPaidBack } = await requestReturn(db, jobs, id, request)
    if (status === 'escalated') return { returnId, message: 'We will look into it and decide' }
    if (!REFUNDED.includes(status)) return { returnId, message: 'We have let the shop know' }
    return { returnId, message: isPaidBack ? 'It is cancelled. We are refunding you' : 'It is cancelled' }
  })

  mountUpload(app, contract.addReturnPictures, {
    hasPicturesOnly: true,
    async store({ returnId }, files, c) {
      const isNew = await addPictures(db, signedIn(c).id, returnId, files)
      return { answer: { message: 'The shop can see your pictures' }, isNew }
    },
  })

  mount(app, contract.withdrawReturn, async ({ returnId }, c) => {
    await moveReturn(db, jobs, returnId, { event: 'withdraw', owner: { userId: signedIn(c).id } })
    return { message: 'Your request is withdrawn' }
  })

  mount(app, contract.sendReturnBack, async ({ returnId, tracking }, c) => {
    await moveReturn(db, jobs, returnId, { event: 'sendBack', owner: { userId: signedIn(c).id }, tracking })
    return { message: 'Thank you. We will email you when it arrives' }
  })

  mount(app, contract.escalateReturn, async ({ returnId }, c) => {
    await moveReturn(db, jobs, returnId, { event: 'escalate', owner: { userId: signedIn(c).id } })
    return { message: 'We will look into it and decide' }
  })
}
