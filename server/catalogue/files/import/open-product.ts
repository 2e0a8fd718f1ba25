import { NO_CATEGORY, NO_SHOP, type ProductDraft, type VariantDraft } from '#server/catalogue/files/drafts.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import type { OnProblem } from './csv.ts'
import { FieldError, readAddress, readOrReport } from './values.ts'

export const MOST_VARIANTS = 2048
const MOST_PICTURES = 250

/** What a file says of a product as a whole. */
export type ProductFacts = Pick<ProductDraft, 'name' | 'category' | 'brand' | 'description' | 'tags' | 'isHidden'>

export interface PictureRow extends StoredPicture {
  position: number | null
}

/** A product whose rows are still being read. */
export interface OpenProduct {
  /** The line on which it begins. */
  line: number
  handle: string
  shopName: string
  variants: VariantDraft[]
  /** The options of its variants. */
  keys: Set<string>
  pictures: PictureRow[]
  hasTooManyPictures: boolean
}

export function openProduct(line: number, handle: string, shopName: string): OpenProduct {
  return { line, handle, shopName, variants: [], keys: new Set(), pictures: [], hasTooManyPictures: false }
}

/** Throws `FieldError` if the product has a variant with these options already. */
export function addVariant({ handle, keys, variants }: OpenProduct, variant: VariantDraft): void {
  const key = JSON.stringify(variant.options)
  const name = variant.options.map(([, value]) => value).join(' / ') || 'product'
  if (keys.has(key)) throw new FieldError(`the same ${name} of ${handle} was there before`)
  if (variants.length >= MOST_VARIANTS) throw new FieldError(`${handle} has more than ${MOST_VARIANTS} variants`)
  keys.add(key)
  variants.push(variant)
}

/** Adds a picture unless the product has it. Throws `FieldError` for the first that is too many, and drops the others. */
export function addPicture(product: OpenProduct, picture: PictureRow): void {
  const { handle, pictures, hasTooManyPictures } = product
  if (hasTooManyPictures || pictures.some(({ source }) => source === picture.source)) return
  product.hasTooManyPictures = pictures.length >= MOST_PICTURES
  if (product.hasTooManyPictures) throw new FieldError(`${handle} has more than ${MOST_PICTURES} pictures`)
  pictures.push(picture)
}

/** Adds the pictures of a list. Reports those that cannot be used. */
export function addPictures(
  product: OpenProduct,
  { line, name, addresses }: { line: number; name: string; addresses: string[] },
  onProblem: OnProblem,
): void {
  for (const address of addresses)
    readOrReport(line, onProblem, () => addPicture(product, { source: readAddress(name, address), position: null }))
}

/** The product as a draft, its pictures at their positions. */
export function toDraft(
  { line, handle, shopName, variants, pictures }: OpenProduct,
  facts: ProductFacts,
): ProductDraft {
  const placed = pictures.map((picture, index) => ({ ...picture, position: picture.position ?? index + 1 }))
  return {
    ...facts,
    line,
    handle,
    shopName: shopName || NO_SHOP,
    category: facts.category || NO_CATEGORY,
    pictures: placed.toSorted((a, b) => a.position - b.position).map(withoutPosition),
    variants,
  }
}

function withoutPosition(row: PictureRow): StoredPicture {
  const { position, ...picture } = row
  return picture
}
