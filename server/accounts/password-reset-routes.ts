import type { Hono } from 'hono'
import * as contract from '#contract/auth.ts'
import { EMAIL_LENGTH } from '#contract/rules.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Env } from '../http/env.ts'
import { keyFrom } from '../http/client-address.ts'
import { mount, originOf } from '../http/mount.ts'
import { mailboxOf, normaliseEmail } from './customers.ts'
import { findResetOwner, type PasswordServices, resetPassword } from './password-reset.ts'

interface Options extends PasswordServices {
  jobs: Jobs
}

const MAIL_IS_ON_ITS_WAY = 'If there is an account with this address, a link to choose a new password is on its way'

export function passwordResetRoutes(app: Hono<Env>, options: Options): void {
  const { db, jobs } = options

  // Only the job looks the address up, so that neither response nor timing shows whether it has an account.
  mount(app, contract.forgotPassword, async ({ email }, c) => {
    const limits = c.get('limits')
    await limits.take('forgotPerIp', c.get('ip'))
    const address = normaliseEmail(email)
    const isPossible = address.length <= EMAIL_LENGTH.longest
    if (isPossible && (await limits.allows('forgot', keyFrom(c.get('ip'), mailboxOf(address)))))
      await jobs.send('passwordReset', { email: address })
    return { message: MAIL_IS_ON_ITS_WAY }
  })

  mount(app, contract.resetPassword, async (reset, c) => {
    await c.get('limits').take('reset', (await findResetOwner(db, reset.token)) ?? c.get('ip'))
    await resetPassword(options, reset, originOf(c), c.req.raw.signal)
    return { message: 'Your password has been changed. Please login with the new one' }
  })
}
