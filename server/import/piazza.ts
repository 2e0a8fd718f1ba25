import type * as z from 'zod'
import type {
  CarouselDraft,
  CategoryDraft,
  Draft,
  ProductDraft,
  SellerDraft,
} from '#server/services/catalogue-drafts.ts'
import { NO_CATEGORY } from '#server/services/catalogue-drafts.ts'
import { sanitise } from '#server/text.ts'
import type { OnProblem } from './csv.ts'
import { elementsOf } from './json.ts'
import { linesOf } from './lines.ts'
import { stampsOf } from './seen.ts'
import { CarouselRecord, CategoryRecord, ProductRecord, ShopRecord } from './piazza-record.ts'
import { shopSlug } from '#contract/rules.ts'

const READERS = new Map<unknown, (line: number, value: unknown, onProblem: OnProblem) => Draft | null>([
  ['shop', readShop],
  ['category', readCategory],
  ['carousel', readCarousel],
])

/**
 * The records of our own format: a JSON array of products (`type` 'product' or none), shops, categories and the home
 * page's carousel. Prices are US dollars, descriptions HTML.
 */
export async function* piazzaDrafts(chunks: AsyncIterable<Buffer>, onProblem: OnProblem): AsyncGenerator<Draft> {
  const seen = stampsOf()
  for await (const { line, value } of elementsOf(linesOf(chunks), onProblem)) {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : 'product'
    const draft = (READERS.get(type) ?? readProduct)(line, value, onProblem)
    if (!draft) continue
    if ('handle' in draft) {
      const shop = shopSlug(draft.shopName)
      if (seen.shopsOf(draft.handle).includes(shop)) {
        onProblem(line, `${draft.handle} of ${draft.shopName} was there before`)
        continue
      }
      seen.add(draft.handle, shop)
    }
    yield draft
  }
}

function readProduct(line: number, value: unknown, onProblem: OnProblem): ProductDraft | null {
  const record = read(ProductRecord, line, value, onProblem)
  if (!record) return null
  const { type: _, shop, price, discount, compareAtPrice, shipping, promoted, hidden, ...same } = record
  return {
    ...same,
    line,
    shopName: shop,
    category: record.category || NO_CATEGORY,
    price: { priceCents: price, discount: Math.round(discount * 10_000) / 10_000, compareAtCents: compareAtPrice },
    description: sanitise(record.description),
    isHidden: hidden,
    isPromoted: promoted,
    shippingPrices: shipping,
    variants: record.variants.map(({ price: priceCents, compareAtPrice: compareAtCents, ...variant }) => ({
      ...variant,
      priceCents,
      compareAtCents,
    })),
  }
}

function readShop(line: number, value: unknown, onProblem: OnProblem): SellerDraft | null {
  const record = read(ShopRecord, line, value, onProblem)
  if (!record) return null
  const { type: _, name, verified, ai, shipping, ...same } = record
  return { ...same, line, shopName: name, isVerified: verified, hasAi: ai, shippingRates: shipping }
}

function readCategory(line: number, value: unknown, onProblem: OnProblem): CategoryDraft | null {
  const record = read(CategoryRecord, line, value, onProblem)
  return record && { line, name: record.name, picture: record.picture }
}

function readCarousel(line: number, value: unknown, onProblem: OnProblem): CarouselDraft | null {
  const record = read(CarouselRecord, line, value, onProblem)
  return record && { line, banners: record.banners }
}

function read<Schema extends z.ZodType>(schema: Schema, line: number, value: unknown, onProblem: OnProblem) {
  const record = schema.safeParse(value)
  if (record.success) return record.data
  const [issue] = record.error.issues
  onProblem(line, `${issue?.path.join('.') || 'the record'}: ${issue?.message}`)
  return null
}
