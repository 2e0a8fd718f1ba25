import { walkAfterOrder } from '#tests/support/browser/after-order.ts'
import { testWithOwn } from '#tests/support/provider/own-shop.ts'
import { addToyMarket } from '#tests/support/provider/toy-market.ts'
import { addShoeShop } from '#tests/support/provider/toy-shoes.ts'

const test = testWithOwn(({ startPostgresShop }) =>
  startPostgresShop(async (db, media) => {
    await addToyMarket(db)
    await addShoeShop(db, media)
  }),
)

test(
  'an order is delivered and returned in the same way on PostgreSQL',
  { tag: ['@desktop', '@long'] },
  async ({ page, shop }) => {
    await walkAfterOrder(page, shop)
  },
)
