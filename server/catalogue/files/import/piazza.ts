import type * as z from 'zod'
import { shopSlug } from '#contract/rules.ts'
import type { CarouselDraft, CategoryDraft, Draft, ProductDraft, SellerDraft, VariantDraft } from '../drafts.ts'
import { NO_CATEGORY } from '../drafts.ts'
import { sanitise } from '#server/platform/text.ts'
import { recordsOf } from './json.ts'
import { numberedLines } from './lines.ts'
import { addVariant, checkOptions, openProduct } from './open-product.ts'
import { openFieldChecks, requirePiazzaFormat } from './piazza-fields.ts'
import { CarouselRecord, CategoryRecord, productRecord, shopRecord } from './piazza-record.ts'
import { describeGuess, type ReadOptions } from './read-options.ts'
import { rememberProducts } from './seen.ts'
import { readOrReport, shown } from './values.ts'

/**
 * Reads Piazza's own format: a JSON array of products (`type` 'product' or none), shops, categories and the home page's
 * carousel. Prices are US dollars unless the operator gives a rate; descriptions are HTML.
 */
export async function* piazzaDrafts(chunks: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<Draft> {
  const seen = rememberProducts()
  const readDraft = openReader(options)
  let isFirst = true
  for await (const { line, value } of recordsOf(numberedLines(chunks), options.onProblem)) {
    if (isFirst) requirePiazzaFormat(line, value, options)
    isFirst = false
    const draft = readDraft(line, value as object)
    if (!draft) continue
    if ('handle' in draft) {
      const shop = shopSlug(draft.shopName)
      if (seen.shopsOf(draft.handle).includes(shop)) {
        options.onProblem(line, `${draft.handle} of ${draft.shopName} is in the file twice`)
        continue
      }
      seen.add(draft.handle, shop)
    }
    yield draft
  }
}

/** Returns a function that reads one record; it returns null if the record cannot be used. */
function openReader(options: ReadOptions): (line: number, value: object) => Draft | null {
  const { rate = 1, shop: oneShop, onProblem, onWarning } = options
  const Product = productRecord(rate)
  const Shop = shopRecord(rate)
  const checkFields = openFieldChecks(onWarning)
  let hasReportedGuess = false

  function read<Schema extends z.ZodObject>(schema: Schema, line: number, value: object): z.output<Schema> | null {
    const record = schema.safeParse(value)
    if (record.success) {
      checkFields(line, value, record.data, Object.keys(schema.shape))
      return record.data
    }
    const [issue] = record.error.issues
    const path = issue?.path ?? []
    const isMissing = path.length === 1 && !(String(path[0]) in value)
    onProblem(line, `${path.join('.') || 'the record'}: ${isMissing ? 'is missing' : issue?.message}`)
    return null
  }

  function readProduct(line: number, value: object): ProductDraft | null {
    const record = read(Product, line, oneShop === undefined ? value : inShop(value, oneShop))
    if (!record) return null
    const { handle, slug, name, brand, tags, pictures, banner, createdAt } = record
    const given =
      record.variants.length > 0
        ? record.variants.map((variant, at) => toVariant(variant, readStock(record, at, options)))
        : [{ ...PLAIN, price: priceOf(record), ...readStock(record, 0, options) }]
    if (given.some(({ stockGuess }) => stockGuess)) warnOfGuess(line)
    const variants = readOrReport(line, onProblem, () => checkVariants(line, record, given))
    if (!variants) return null
    return {
      line,
      handle,
      slug,
      name,
      brand,
      tags,
      pictures,
      banner,
      createdAt,
      shopName: record.shop,
      category: record.category === undefined ? undefined : record.category || NO_CATEGORY,
      description: record.description === undefined ? undefined : sanitise(record.description),
      lacksOptions: record.variants.length === 0,
      isHidden: record.hidden,
      isPromoted: record.promoted,
      shippingPrices: record.shipping,
      variants,
    }
  }

  function warnOfGuess(line: number): void {
    if (!hasReportedGuess) onWarning(describeGuess(`line ${line}: the record has no stock`, options))
    hasReportedGuess = true
  }

  function readShop(line: number, value: object): SellerDraft | null {
    const record = read(Shop, line, value)
    if (!record) return null
    if (oneShop !== undefined) {
      const reason = `--shop puts all products into ${shown(oneShop)}`
      onWarning(`line ${line}: the shop ${shown(record.name)} is left out: ${reason}`)
      return null
    }
    const { type, name, verified, ai, hidden, shipping, ...same } = record
    const renamed = { shopName: name, isVerified: verified, hasAi: ai, isHidden: hidden, shippingRates: shipping }
    return { ...same, ...renamed, line }
  }

  function readCategory(line: number, value: object): CategoryDraft | null {
    const record = read(CategoryRecord, line, value)
    return record && { line, name: record.name, picture: record.picture }
  }

  function readCarousel(line: number, value: object): CarouselDraft | null {
    const record = read(CarouselRecord, line, value)
    return record && { line, banners: record.banners }
  }

  const readers = new Map<unknown, (line: number, value: object) => Draft | null>([
    ['shop', readShop],
    ['category', readCategory],
    ['carousel', readCarousel],
  ])
  return (line, value) => (readers.get('type' in value ? value.type : 'product') ?? readProduct)(line, value)
}

/** Moves a record to this shop. The shop that the record names becomes its brand, unless it has one. */
function inShop(value: object, shop: string): object {
  const { shop: named, brand } = value as { shop?: unknown; brand?: unknown }
  return { ...value, shop, brand: brand ?? named }
}

type ProductRecord = z.output<ReturnType<typeof productRecord>>
type VariantRecord = ProductRecord['variants'][number]

/** The variant of a record without variants. */
const PLAIN = { options: [], sellsWithoutStock: undefined }

function toVariant(record: VariantRecord, units: Units): VariantDraft {
  const { price, discount, compareAtPrice, stock, sellsWithoutStock, ...same } = record
  const isPaid = discount === undefined
  return {
    ...same,
    sellsWithoutStock,
    ...units,
    price: isPaid ? { paidCents: price, compareAtCents: compareAtPrice } : priceOf({ price, discount, compareAtPrice }),
  }
}

function priceOf({ price, discount, compareAtPrice }: Pick<ProductRecord, 'price' | 'discount' | 'compareAtPrice'>) {
  return { priceCents: price, discount: Math.round(discount * 10_000) / 10_000, compareAtCents: compareAtPrice }
}

/** The variants of a record. Throws `FieldError` if two are equal or one cannot be chosen. */
function checkVariants(line: number, { handle, shop }: ProductRecord, variants: VariantDraft[]): VariantDraft[] {
  const product = openProduct(line, handle, shop)
  for (const variant of variants) addVariant(product, variant)
  checkOptions(product)
  return product.variants
}

type Units = Pick<VariantDraft, 'stock' | 'stockGuess'>

/** The stock of one of a record's variants: its own, or the default if the record does not count it. */
function readStock({ stock, variants }: ProductRecord, at: number, options: ReadOptions): Units {
  const own = variants[at]?.stock
  if (own !== undefined) return { stock: own }
  // Only the whole product has a stock. The first variant gets all of it: the record does not say which are left.
  if (stock !== undefined) return { stock: at === 0 && variants.every(each => each.stock === undefined) ? stock : 0 }
  if (options.stock !== undefined) return { stock: options.stock }
  return { stock: options.untrackedStock, stockGuess: 'unknown' }
}
