import { walkAfterOrder } from '#tests/support/browser/after-order.ts'
import { test } from '#tests/support/provider/toy-shop.ts'

test('what was bought of two shops arrives in parcels, and goes back with a picture for the money', async ({
  page,
  shop,
}) => {
  // A whole journey takes half a minute on an idle machine.
  test.setTimeout(300_000)
  await walkAfterOrder(page, shop)
})
