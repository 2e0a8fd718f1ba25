import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import * as auth from '#contract/auth.ts'
import * as cart from '#contract/cart.ts'
import * as catalog from '#contract/catalogue.ts'
import * as chat from '#contract/chat.ts'
import { endpoints } from '#contract/index.ts'
import * as notifications from '#contract/notifications.ts'
import * as orders from '#contract/orders.ts'
import * as orderSums from '#contract/order-sums.ts'
import * as payments from '#contract/payments.ts'
import * as policies from '#contract/policies.ts'
import * as product from '#contract/product.ts'
import { events, SOCKET_PATH } from '#contract/realtime.ts'
import * as reviews from '#contract/reviews.ts'
import * as sellerEvents from '#contract/seller-events.ts'
import * as shops from '#contract/shops.ts'
import * as suggestions from '#contract/suggestions.ts'
import * as variants from '#contract/variants.ts'
import * as wire from '#contract/wire.ts'
import * as wishlist from '#contract/wishlist.ts'
import { callText, shapeText } from '#tests/support/contract/api-text.ts'

const modules = [
  account,
  auth,
  cart,
  catalog,
  chat,
  notifications,
  orders,
  orderSums,
  payments,
  policies,
  product,
  reviews,
  sellerEvents,
  shops,
  suggestions,
  variants,
  wire,
  wishlist,
]
const shapes = modules.flatMap(module =>
  Object.entries<unknown>({ ...module }).filter(
    (entry): entry is [string, z.ZodMiniType] => entry[1] instanceof z.core.$ZodType,
  ),
)
const names = new Map(shapes.map(([name, shape]) => [shape, name]))

/**
 * After a change that other clients may see, run this file with `-u` and review the diff of `tests/fixtures/api.txt`.
 */
test('the paths, fields and limits of the API match the approved ones', async () => {
  const calls = Object.entries(endpoints).map(([name, call]) => callText(name, call, names))
  const fields = shapes.map(([name, shape]) => shapeText(name, shape, names))
  const sockets = Object.entries(events).map(([name, event]) => `${name}: ${SOCKET_PATH} ${event}\n`)

  await expect(
    [...calls, ...fields, ...sockets, `code: ${account.EMAIL_NOT_CONFIRMED}\n`].join('\n'),
  ).toMatchFileSnapshot('../../fixtures/api.txt')
})
