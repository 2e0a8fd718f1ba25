import { stringify } from 'csv-stringify/sync'
import type { Db } from '#server/db/types.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import { CARRIED, COLUMNS } from './import/shopify-columns.ts'
import { comparedCents, type StoredVariant } from './drafts.ts'
import { extraColumns, productsOf, readShops, type StoredWhole } from './export.ts'
import { plainDollars } from '#server/platform/usd.ts'

type Cells = Record<string, string>

const BEFORE_VARIANTS = [
  COLUMNS.handle,
  COLUMNS.title,
  COLUMNS.body,
  COLUMNS.vendor,
  'Product Category',
  COLUMNS.type,
  COLUMNS.tags,
  COLUMNS.published,
  COLUMNS.option1Name,
  COLUMNS.option1Value,
  'Option1 Linked To',
  COLUMNS.option2Name,
  COLUMNS.option2Value,
  'Option2 Linked To',
  COLUMNS.option3Name,
  COLUMNS.option3Value,
  'Option3 Linked To',
]
const OF_VARIANTS = [
  COLUMNS.sku,
  COLUMNS.grams,
  COLUMNS.tracker,
  COLUMNS.quantity,
  COLUMNS.policy,
  'Variant Fulfillment Service',
  COLUMNS.price,
  COLUMNS.compareAt,
  'Variant Requires Shipping',
  'Variant Taxable',
  COLUMNS.barcode,
  COLUMNS.imageSrc,
  COLUMNS.imagePosition,
  COLUMNS.imageAlt,
  'Gift Card',
  'SEO Title',
  'SEO Description',
  COLUMNS.variantImage,
]
const AFTER_VARIANTS = [COLUMNS.brand, COLUMNS.status]

/** The catalogue as a Shopify product CSV, in pieces. Pictures without a source get a URL at `publicUrl`. */
export async function* exportShopify(db: Db, publicUrl: string): AsyncGenerator<string> {
  const extra = await extraColumns(db)
  const isWritten = (name: string) => !CARRIED.includes(name) || extra.includes(name)
  const placed = [...BEFORE_VARIANTS, ...OF_VARIANTS].filter(isWritten)
  const columns = [...placed, ...extra.filter(name => !placed.includes(name)), ...AFTER_VARIANTS]
  yield stringify([columns])
  for (const shop of await readShops(db)) {
    for await (const batch of productsOf(db, shop)) {
      const rows = batch.flatMap(whole => rowsOf(whole, publicUrl))
      yield stringify(rows.map(cells => columns.map(column => cells[column] ?? '')))
    }
  }
}

function rowsOf({ product, variants }: StoredWhole, publicUrl: string): Cells[] {
  const { handle, pictures } = product
  const names = namesOf(variants[0])
  return Array.from({ length: Math.max(variants.length, pictures.length) }, (_, at) => {
    const variant = variants[at]
    const picture = pictures[at]
    return {
      [COLUMNS.handle]: handle,
      ...(at === 0 && productCells(product)),
      ...(variant && variantCells(variant, at === 0 ? null : names, publicUrl)),
      ...(picture && {
        [COLUMNS.imageSrc]: pictureUrlOf(picture, publicUrl),
        [COLUMNS.imagePosition]: String(at + 1),
        [COLUMNS.imageAlt]: picture.alt ?? '',
      }),
    }
  })
}

function productCells(product: StoredWhole['product']): Cells {
  // The format has no shops that could be hidden.
  const isHidden = !product.isVisible
  return {
    [COLUMNS.title]: product.name,
    [COLUMNS.body]: product.description,
    [COLUMNS.vendor]: product.shopName,
    [COLUMNS.type]: product.category,
    [COLUMNS.tags]: product.tags.join(', '),
    [COLUMNS.published]: String(!isHidden),
    [COLUMNS.brand]: product.brand,
    [COLUMNS.status]: isHidden ? 'draft' : 'active',
  }
}

/** `known` are the option names in the product's first row; null for that row itself. */
function variantCells(variant: StoredVariant, known: string[] | null, publicUrl: string): Cells {
  const options: [string, string][] = variant.options.length > 0 ? variant.options : [['Title', 'Default Title']]
  const cells: Cells = { ...variant.extra }
  const compareAtCents = comparedCents(variant)
  for (const [at, [name, value]] of options.entries()) {
    if (known?.[at] !== name) cells[`Option${at + 1} Name`] = name
    cells[`Option${at + 1} Value`] = value
  }
  return {
    ...cells,
    [COLUMNS.sku]: variant.sku,
    [COLUMNS.barcode]: variant.barcode,
    [COLUMNS.grams]: variant.weightGrams === null ? '' : String(variant.weightGrams),
    // Always set, because Piazza counts all units; the imported file may have had no tracker.
    [COLUMNS.tracker]: 'shopify',
    [COLUMNS.quantity]: String(variant.stock),
    [COLUMNS.policy]: variant.sellsWithoutStock ? 'continue' : 'deny',
    [COLUMNS.price]: plainDollars(variant.finalCents),
    [COLUMNS.compareAt]: compareAtCents === null ? '' : plainDollars(compareAtCents),
    // Imports of older versions stored this column unread, in `extra`.
    [COLUMNS.variantImage]: variant.picture
      ? pictureUrlOf(variant.picture, publicUrl)
      : (variant.extra[COLUMNS.variantImage] ?? ''),
  }
}

function pictureUrlOf({ source, hash }: StoredPicture, publicUrl: string): string {
  return source ?? `${publicUrl}/media/${hash}/1280.webp`
}

function namesOf(variant: StoredVariant | undefined): string[] {
  return variant?.options.map(([name]) => name) ?? []
}
