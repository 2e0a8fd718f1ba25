import type { Hono } from 'hono'
import * as contract from '#contract/saved-lines.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import { moveToCart, readSavedLines, removeSavedLine, saveForLater } from './saved-lines.ts'

export function savedLineRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getSavedLines, async ({ userId }, c) => ({
    lines: await readSavedLines(db, signedInAs(c, userId)),
  }))

  mount(app, contract.saveForLater, async ({ lineId }, c) => {
    await saveForLater(db, signedIn(c).id, lineId)
    return { message: 'Saved for later' }
  })

  mount(app, contract.moveToCart, async ({ savedId }, c) => {
    const missing = await moveToCart(db, signedIn(c).id, savedId)
    return {
      message:
        missing === 0 ? 'Moved to your cart' : `Moved to your cart, but ${missing} fewer: there are no more in stock`,
    }
  })

  mount(app, contract.removeSavedLine, async ({ savedId }, c) => {
    await removeSavedLine(db, signedIn(c).id, savedId)
    return { message: 'Removed' }
  })
}
