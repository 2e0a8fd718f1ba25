import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCart } from '#server/cart/cart-view.ts'
import { openDatabase } from '#server/db/database.ts'
import type { Database } from '#server/db/types.ts'
import { listMiscounted } from '#server/operators/data-checks.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import { openOlderDatabase } from '#tests/support/processes/older-database.ts'

/** Products of a shop as its tables were when variants had no stock of their own that counted. */
const OLDER = `
  insert into sellers (id, key, shop_name) values ('shop', 'shop', 'Shop');
  insert into categories (name) values ('Shoes');
  insert into users (id, name, email, password_hash) values ('ada', 'Ada', 'ada@x.test', '');
  insert into products (id, seller_id, handle, slug, shop_name, name, category, brand, price_cents, discount, compare_at_cents, stock) values
    ('plain', 'shop', 'plain', 'plain', 'Shop', 'Plain', 'Shoes', 'B', 2599, 23.0859, 2599, 7),
    ('shoe', 'shop', 'shoe', 'shoe', 'Shop', 'Shoe', 'Shoes', 'B', 2000, 0, null, 5),
    ('more', 'shop', 'more', 'more', 'Shop', 'More', 'Shoes', 'B', 1000, 0, null, 9);
  insert into variants (product_id, position, options, sku, price_cents, compare_at_cents, stock, extra) values
    ('shoe', 0, '[["Size", "42"], ["Colour", "Blue"]]', 'S42', 2000, null, 4, '{"Variant Barcode": "4006381333931", "Variant Grams": "310", "Gift Card": "false"}'),
    ('shoe', 1, '[["Size", "43"], ["Colour", "blue"]]', 'S43', 2999, 3599, 3, '{"Variant Inventory Policy": "continue"}'),
    ('shoe', 2, '[["Size", "44"], ["Colour", "Red"]]', 'S44', 2000, null, 2, '{}'),
    ('more', 0, '[["Size", "S"]]', 'M', 1000, null, 4, '{}');
  insert into cart_lines (id, user_id, product_id, quantity, agreed_cents, seen) values
    ('a', 'ada', 'plain', 2, 1999, '{"name": "Plain"}'), ('b', 'ada', 'shoe', 1, 2000, '{"name": "Shoe"}'),
    ('c', 'ada', 'deleted', 1, 500, '{"slug": "d", "name": "Deleted", "category": "", "brand": "", "sellerId": "shop", "shopName": "Shop"}');
  insert into wishlist_items (id, user_id, product_id) values ('w', 'ada', 'shoe');
  insert into orders (id, user_id, price_cents, item_count, stock_state, held_until) values
    ('held', 'ada', 4000, 2, 'held', now() + interval '30 minutes');
  insert into seller_orders (id, order_id, seller_id, shop_name, price_cents) values ('part', 'held', 'shop', 'Shop', 4000);
  insert into order_lines (id, seller_order_id, product_id, quantity, unit_cents) values ('line', 'part', 'shoe', 2, 2000);
  insert into order_steps (order_id, kind) values ('held', 'placed');
`

let folder: string
let database: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'piazza-variants-'))
  const older = await openOlderDatabase(folder, '0014')
  await older.db.execute(sql.raw(OLDER))
  await older.close()
  database = await openDatabase({ folder: join(folder, 'db') })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const rowsOf = async (query: string) => (await database.db.execute(sql.raw(query))).rows

test('an older shop keeps its products with their prices and stock', async () => {
  expect(
    await rowsOf(`select product_id as product, sku, final_cents as final, price_cents as price, discount::float8,
      compare_at_cents as "compareAt", stock, barcode, weight_grams as grams, sells_without_stock as endless, extra
      from variants order by product_id, position`),
  ).toMatchObject([
    { product: 'more', sku: 'M', final: 1000, stock: 9 },
    { product: 'plain', sku: '', final: 1999, price: 2599, discount: 23.0859, compareAt: 2599, stock: 7, extra: {} },
    { product: 'shoe', final: 2000, stock: 4, barcode: '4006381333931', grams: 310, extra: { 'Gift Card': 'false' } },
    { product: 'shoe', final: 2999, price: 3599, compareAt: 3599, stock: 1, grams: null, endless: true, extra: {} },
    { product: 'shoe', final: 2000, stock: 0, endless: false },
  ])
  expect(
    await rowsOf(`select slug, final_cents as final, highest_cents as highest, is_available as "isAvailable",
      variant_count as variants, colour_count as colours from products order by slug`),
  ).toEqual([
    { slug: 'more', final: 1000, highest: 1000, isAvailable: true, variants: 1, colours: 0 },
    { slug: 'plain', final: 1999, highest: 1999, isAvailable: true, variants: 1, colours: 0 },
    { slug: 'shoe', final: 2000, highest: 2999, isAvailable: true, variants: 3, colours: 2 },
  ])
  expect(await listMiscounted(database.db)).toEqual([])
})

test('an older shop keeps its carts, wishes, orders and held units', async () => {
  const cart = await readCart(database.db, 'ada')
  expect(cart).toMatchObject({
    count: 4,
    buyableCount: 2,
    groups: [{ products: [{ _id: 'a', quantity: 2, product: { priceCents: 2599, stock: 7 } }] }],
    outOfStock: [
      { _id: 'b', isGone: false, product: { name: 'Shoe', variantCount: 3 } },
      { _id: 'c', isGone: true, product: { name: 'Deleted' } },
    ],
  })
  expect(await rowsOf('select product_id as product from wishlist_items')).toEqual([{ product: 'shoe' }])
  expect(
    await rowsOf(`select sku, quantity from order_lines join variants on variants.id = order_lines.variant_id`),
  ).toEqual([{ sku: 'S42', quantity: 2 }])
  expect(await checkInvariants(database.db)).toEqual([])
})
