import type { Context, Hono } from 'hono'
import * as contract from '#contract/profile.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { keyFrom } from '../http/client-address.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import type { Jobs } from '../platform/jobs.ts'
import { mailboxOf, normaliseEmail } from './customers.ts'
import { requestEmailChange, withdrawEmailChange } from './email-change.ts'
import type { Passwords } from './passwords.ts'
import { checkPassword } from './current-password.ts'
import { changeName, changePassword, readProfile } from './profile.ts'
import type { Sessions } from './sessions.ts'

interface Options {
  db: Db
  passwords: Passwords
  sessions: Sessions
  jobs: Jobs
}

/** Checks the caller's password (see `checkPassword`). Few wrong ones are allowed, and more checks in all. */
export async function provePassword(
  c: Context<Env>,
  { db, passwords }: Pick<Options, 'db' | 'passwords'>,
  password: string,
): Promise<string> {
  const limits = c.get('limits')
  const { id: userId } = signedIn(c)
  await limits.take('passwordChecks', userId)
  await limits.take('currentPassword', userId)
  const hash = await checkPassword({ db, passwords }, { userId, password }, originOf(c), c.req.raw.signal)
  await limits.giveBack('currentPassword', userId)
  return hash
}

export function profileRoutes(app: Hono<Env>, options: Options): void {
  const { db } = options

  mount(app, contract.getProfile, (_input, c) => readProfile(db, signedIn(c).id))

  mount(app, contract.changeName, async ({ name }, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('accountChange', id)
    await changeName(db, id, name, originOf(c))
    return { message: 'Your name is changed' }
  })

  mount(app, contract.changeEmail, async ({ newEmail, password }, c) => {
    const customer = signedIn(c)
    const passwordHash = await provePassword(c, options, password)
    const limits = c.get('limits')
    await limits.take('confirmationMail', customer.id)
    await limits.take('confirmationMailPerMailbox', keyFrom(c.get('ip'), mailboxOf(normaliseEmail(newEmail))))
    await limits.take('confirmationMailPerIp', c.get('ip'))
    await requestEmailChange(options, customer, { address: newEmail, passwordHash }, originOf(c))
    return { message: `We have sent a link to ${newEmail}` }
  })

  mount(app, contract.keepEmail, async (_input, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('accountChange', id)
    await withdrawEmailChange(db, id, originOf(c))
    return { message: 'Your email address stays as it is' }
  })

  mount(app, contract.changePassword, async ({ password, newPassword }, c) => {
    const passwordHash = await provePassword(c, options, password)
    await c.get('limits').take('accountMail', signedIn(c).id)
    const from = { origin: originOf(c), signal: c.req.raw.signal }
    await changePassword(options, signedIn(c), { passwordHash, newPassword }, from)
    return { message: 'Your password has been changed, and all other devices have been logged out' }
  })
}
