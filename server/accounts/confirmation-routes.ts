import type { Hono } from 'hono'
import * as contract from '#contract/auth.ts'
import type { Db } from '../db/types.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Env } from '../http/env.ts'
import { keyFrom } from '../http/client-address.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import { mailboxOf } from './customers.ts'
import { confirmEmail, findConfirmationOwner, isEmailConfirmed } from './email-confirmation.ts'

export function confirmationRoutes(app: Hono<Env>, { db, jobs }: { db: Db; jobs: Jobs }): void {
  mount(app, contract.confirmEmail, async ({ token }, c) => {
    await c.get('limits').take('confirmEmail', (await findConfirmationOwner(db, token)) ?? c.get('ip'))
    await confirmEmail({ db, jobs }, token, originOf(c))
    return { message: 'Your email address is confirmed' }
  })

  mount(app, contract.sendConfirmation, async (_input, c) => {
    const { id: userId, email } = signedIn(c)
    if (await isEmailConfirmed(db, userId)) return { message: 'Your email address is already confirmed' }
    const limits = c.get('limits')
    await limits.take('confirmationMail', userId)
    await limits.take('confirmationMailPerMailbox', keyFrom(c.get('ip'), mailboxOf(email)))
    await limits.take('confirmationMailPerIp', c.get('ip'))
    await jobs.send('emailConfirmation', { userId })
    return { message: `We have sent a link to ${email}` }
  })
}
