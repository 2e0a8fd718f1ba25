import { walkAfterOrder } from '#tests/support/browser/after-order.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test('an order from two shops arrives in parcels and is returned, with a picture, for a refund', async ({
  page,
  shop,
}) => {
  // A whole journey takes half a minute on an idle machine.
  test.setTimeout(300_000)
  await walkAfterOrder(page, shop)
})
