import type { Hono } from 'hono'
import * as contract from '#contract/account.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import { readAccount, updateAccount } from './account.ts'

export function accountRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getAccount, (_input, c) => readAccount(db, signedIn(c).id))
  mount(app, contract.updateAccount, async (form, c) => {
    await updateAccount(db, signedIn(c).id, form, originOf(c))
    return { message: 'Account updated successfully' }
  })
}
