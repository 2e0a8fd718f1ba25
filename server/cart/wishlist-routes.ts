import type { Hono } from 'hono'
import * as contract from '#contract/wishlist.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import { addToWishlist, readWishlist, removeFromWishlist } from './wishlist.ts'

export function wishlistRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getWishlist, ({ userId }, c) => readWishlist(db, signedInAs(c, userId)))

  mount(
    app,
    contract.addToWishlist,
    async ({ userId, productId }, c) => {
      await addToWishlist(db, signedInAs(c, userId), productId)
      return { message: 'Added to wishlist' }
    },
    { status: 201 },
  )

  mount(app, contract.removeFromWishlist, async ({ itemId }, c) => {
    const removedId = await removeFromWishlist(db, signedIn(c).id, itemId)
    return { message: 'Removed from wishlist', itemId: removedId }
  })
}
