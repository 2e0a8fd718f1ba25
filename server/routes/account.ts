import type { Hono } from 'hono'
import * as contract from '#contract/account.ts'
import type { Db } from '../db/open.ts'
import { type Env, mount, signedIn } from '../mount.ts'
import { readAccount, updateAccount } from '../services/account.ts'

export function accountRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getAccount, (_input, c) => readAccount(db, signedIn(c).id))
  mount(app, contract.updateAccount, async (form, c) => {
    await updateAccount(db, signedIn(c).id, form)
    return { message: 'Account updated successfully' }
  })
}
