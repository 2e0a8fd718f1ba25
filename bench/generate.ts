import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/types.ts'
import { categories, products, sellers, variants } from '#server/db/schema.ts'
import { refreshStatistics } from '#server/db/statistics.ts'
import { BRANDS, CATEGORIES, COLOURS, COLOURS_AND_MATERIALS, COUNTRIES, LOOKS, SENTENCES, SIZES } from './words.ts'

const SELLERS = 60
const BATCH = 1000
const TWO_YEARS_MS = 2 * 365 * 24 * 3600_000
const NEWEST = Date.UTC(2025, 11, 1)

/** Fills an empty database with a catalogue of `count` products, which is the same each time. */
export async function fillCatalogue(database: Database, count: number): Promise<void> {
  const { db } = database
  const random = seeded(1)
  const names = Object.keys(CATEGORIES)
  await db.insert(categories).values(names.map(name => ({ name })))
  const shippingRates = Object.fromEntries(COUNTRIES.map((country, at) => [country, 400 + at * 150]))
  const shops = Array.from({ length: SELLERS }, (_, at) => ({
    id: `shop-${at}`,
    key: `shop-${at}`,
    shopName: `${BRANDS[at % BRANDS.length]} Shop ${at}`,
    isVerified: at % 3 !== 0,
    shippingRates,
  }))
  await db.insert(sellers).values(shops)

  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => productRow(from + at, random))
    await db.execute(sql`
      insert into ${products} (id, seller_id, handle, slug, name, category, brand, shop_name,
        description, pictures, is_promoted, is_hidden, shipping_prices, rating, rating_count, units_sold, created_at)
      select id, seller_id, handle, slug, name, category, brand, shop_name,
        description, pictures, is_promoted, is_hidden, shipping_prices, rating, rating_count, units_sold, created_at
      from jsonb_populate_recordset(null::${products}, ${JSON.stringify(rows)}::jsonb)
    `)
    const kinds = rows.flatMap(variantRows)
    await db.execute(sql`
      insert into ${variants} (id, product_id, position, options, price_cents, discount, stock)
      select id, product_id, position, options, price_cents, discount, stock
      from jsonb_populate_recordset(null::${variants}, ${JSON.stringify(kinds)}::jsonb)
    `)
  }
  await refreshStatistics(database)
}

/** Two sizes in two colours, which differ from product to product; one variant in twenty is sold out. */
function variantRows({ id, price_cents, discount, stock }: ReturnType<typeof productRow>) {
  const number = Number(id.slice(1, 9))
  const random = seeded(number)
  const pick = (count: number) => Math.floor(random() * count)
  const size = pick(SIZES.length - 1)
  const colour = pick(COLOURS.length)
  const other = (colour + 1 + pick(COLOURS.length - 1)) % COLOURS.length
  const kinds = [size, size + 1].flatMap(at => [colour, other].map(each => [SIZES[at]!, COLOURS[each]!] as const))
  return kinds.map(([sizeName, colourName], position) => ({
    id: `${id}-${position}`,
    product_id: id,
    position,
    options: [
      ['Size', sizeName],
      [number % 5 === 0 ? 'Color' : 'Colour', colourName],
    ],
    price_cents,
    discount,
    stock: random() < 0.05 ? 0 : Math.floor((stock + position) / kinds.length),
  }))
}

function productRow(number: number, random: () => number) {
  const pick = <Entry>(entries: readonly Entry[]) => entries[Math.floor(random() * entries.length)]!
  // Squared, so that some categories and shops are much larger than others.
  const pickSkewed = <Entry>(entries: readonly Entry[]) => entries[Math.floor(random() ** 2 * entries.length)]!
  const [category, nouns] = pickSkewed(Object.entries(CATEGORIES))
  const seller = Math.floor(random() ** 2 * SELLERS)
  const isRated = random() < 0.8
  return {
    id: `p${String(number).padStart(8, '0')}-7000-8000-000000000000`,
    seller_id: `shop-${seller}`,
    handle: `product-${number}`,
    slug: `product-${number}`,
    name: sentenceCase(`${pick(LOOKS)} ${pick(COLOURS_AND_MATERIALS)} ${pick(nouns)}`),
    category,
    brand: pick(BRANDS),
    shop_name: `${BRANDS[seller % BRANDS.length]} Shop ${seller}`,
    price_cents: Math.round(500 + 60_000 * random() ** 3),
    discount: random() < 0.3 ? 5 * Math.ceil(random() * 10) : 0,
    stock: Math.floor(random() * 200),
    description: `<p>${pick(SENTENCES)} ${pick(SENTENCES)}</p><p>${pick(SENTENCES)}</p>`,
    pictures: [0, 1, 2].map(view => ({ hash: createHash('sha256').update(`${number}-${view}`).digest('hex') })),
    is_promoted: random() < 0.02,
    is_hidden: random() < 0.02,
    shipping_prices: random() < 0.1 ? { France: 900 } : {},
    rating: isRated ? Math.round((1 + 4 * Math.sqrt(random())) * 100) / 100 : 0,
    rating_count: isRated ? Math.ceil(random() * 80) : 0,
    units_sold: Math.floor(500 * random() ** 8),
    created_at: new Date(NEWEST - random() * TWO_YEARS_MS).toISOString(),
  }
}

function sentenceCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** The Mulberry32 generator of random numbers: gives the same sequence everywhere. */
function seeded(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
