import { walkAfterOrder } from '#tests/support/browser/after-order.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test('what was bought of two shops arrives in parcels, and goes back with a picture for the money', async ({
  page,
  shop,
}) => {
  await walkAfterOrder(page, shop)
})
