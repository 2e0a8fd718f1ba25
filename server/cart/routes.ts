import type { Hono } from 'hono'
import * as contract from '#contract/cart.ts'
import type { Db } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn, signedInAs } from '../http/mount.ts'
import {
  acceptPrices,
  addToCart,
  changeVariant,
  decreaseQuantity,
  increaseQuantity,
  removeLine,
  restoreLine,
  setQuantity,
} from './cart.ts'
import { readCart } from './cart-view.ts'

export function cartRoutes(app: Hono<Env>, db: Db): void {
  mount(app, contract.getCart, ({ userId }, c) => readCart(db, signedInAs(c, userId)))

  mount(
    app,
    contract.addToCart,
    async ({ userId, ...addition }, c) => {
      await addToCart(db, signedInAs(c, userId), addition)
      return { message: 'Added to cart' }
    },
    { status: 201 },
  )

  mount(app, contract.increaseQuantity, async ({ lineId }, c) => {
    await increaseQuantity(db, signedIn(c).id, lineId)
    return { message: 'Quantity updated' }
  })

  mount(app, contract.decreaseQuantity, async ({ lineId }, c) => {
    await decreaseQuantity(db, signedIn(c).id, lineId)
    return { message: 'Quantity updated' }
  })

  mount(app, contract.setQuantity, async ({ lineId, quantity }, c) => {
    await setQuantity(db, signedIn(c).id, lineId, quantity)
    return { message: 'Quantity updated' }
  })

  mount(app, contract.changeCartVariant, async ({ lineId, variantId }, c) => {
    await changeVariant(db, signedIn(c).id, lineId, variantId)
    return { message: 'Cart updated' }
  })

  mount(app, contract.removeCartLine, async ({ lineId }, c) => {
    await removeLine(db, signedIn(c).id, lineId)
    return { message: 'Removed from cart' }
  })

  mount(app, contract.restoreCartLine, async ({ lineId }, c) => {
    await restoreLine(db, signedIn(c).id, lineId)
    return { message: 'Back in your cart' }
  })

  mount(app, contract.acceptCartPrices, async ({ userId }, c) => {
    await acceptPrices(db, signedInAs(c, userId))
    return { message: 'Prices accepted' }
  })
}
