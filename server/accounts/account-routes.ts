import type { Hono } from 'hono'
import * as contract from '#contract/account.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, originOf, signedIn } from '../http/mount.ts'
import { readAccount, updateAccount } from './account.ts'
import { addAddress, changeAddress, makeDefault, readAddresses, removeAddress } from './address-book.ts'

export function accountRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getAccount, (_input, c) => readAccount(db, signedIn(c).id))
  mount(app, contract.updateAccount, async (form, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('accountChange', id)
    await updateAccount(db, id, form, originOf(c))
    return { message: 'Account updated successfully' }
  })

  mount(app, contract.getAddresses, async (_input, c) => ({ addresses: await readAddresses(db, signedIn(c).id) }))
  mount(
    app,
    contract.addAddress,
    async (form, c) => {
      await addAddress(db, signedIn(c).id, form)
      return { message: 'Address saved' }
    },
    { status: 201 },
  )
  mount(app, contract.changeAddress, async ({ addressId, ...form }, c) => {
    await changeAddress(db, signedIn(c).id, addressId, form)
    return { message: 'Address saved' }
  })
  mount(app, contract.removeAddress, async ({ addressId }, c) => {
    await removeAddress(db, signedIn(c).id, addressId)
    return { message: 'Address removed' }
  })
  mount(app, contract.makeDefaultAddress, async ({ addressId }, c) => {
    await makeDefault(db, signedIn(c).id, addressId)
    return { message: 'This is your default address now' }
  })
}
