import { optionKey } from '#contract/filters.ts'
import { NO_CATEGORY, NO_SHOP, type ProductDraft, type VariantDraft } from '../drafts.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import type { OnProblem } from './csv.ts'
import { FieldError, readAddress, readOrReport, shown } from './values.ts'

export const MAX_VARIANTS = 2048
const MAX_PICTURES = 250

/** The fields of a product that its variants share. */
export type ProductFacts = Pick<ProductDraft, 'name' | 'category' | 'brand' | 'description' | 'tags' | 'isHidden'>

export interface PictureRow extends StoredPicture {
  position: number | null
}

/** A product whose rows are still being read. */
export interface OpenProduct {
  /** The line on which the product begins. */
  line: number
  handle: string
  shopName: string
  variants: VariantDraft[]
  /** The options of each of its variants, as JSON. */
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
  if (keys.has(key)) throw new FieldError(`the same ${name} of ${handle} is in the file twice`)
  if (variants.length >= MAX_VARIANTS) throw new FieldError(`${handle} has more than ${MAX_VARIANTS} variants`)
  keys.add(key)
  variants.push(variant)
}

/**
 * Checks the options of a whole product: its page offers them as one list for each name, and a variant with other names
 * could not be chosen. Throws `FieldError`.
 */
export function checkOptions({ handle, variants }: Pick<OpenProduct, 'handle' | 'variants'>): void {
  const names = variants.map(({ options }) => options.map(([name]) => name))
  const [first = []] = names
  const other = names.find(each => each.length !== first.length || each.some((name, at) => name !== first[at]))
  if (other)
    throw new FieldError(
      `the variants of ${handle} have different options: one has ${listNames(first)}, another has ${listNames(other)}. ` +
        'Give each a value of every option, in one order',
    )
  checkOptionNames(handle, first)
}

/** Throws `FieldError` if two names mean the same option, such as 'Color' and 'Colour', or if one cannot be sent. */
export function checkOptionNames(handle: string, names: string[]): void {
  const known = new Map<string, string>()
  for (const name of names) {
    // Options are sent as JSON objects, which cannot have this key.
    if (name === '__proto__') throw new FieldError(`an option of ${handle} cannot be called ${name}`)
    const key = optionKey(name) || name
    const twin = known.get(key)
    known.set(key, name)
    if (twin === undefined) continue
    const called = twin === name ? shown(name) : `${shown(twin)} and ${shown(name)}, which are one for shoppers`
    throw new FieldError(`${handle} has two options called ${called}: give each option a name of its own`)
  }
}

function listNames(names: string[]): string {
  return names.join(', ') || 'none'
}

/**
 * Adds a picture unless the product has it. Throws `FieldError` for the first one beyond the limit, and drops the rest.
 */
export function addPicture(product: OpenProduct, picture: PictureRow): void {
  const { handle, pictures, hasTooManyPictures } = product
  if (hasTooManyPictures || pictures.some(({ source }) => source === picture.source)) return
  product.hasTooManyPictures = pictures.length >= MAX_PICTURES
  if (product.hasTooManyPictures) throw new FieldError(`${handle} has more than ${MAX_PICTURES} pictures`)
  pictures.push(picture)
}

/** Adds pictures. Reports those that cannot be used. */
export function addPictures(
  product: OpenProduct,
  { line, name, addresses }: { line: number; name: string; addresses: string[] },
  onProblem: OnProblem,
): void {
  for (const address of addresses)
    readOrReport(line, onProblem, () => addPicture(product, { source: readAddress(name, address), position: null }))
}

/** The product as a draft, its pictures at their positions. Throws `FieldError` for options that cannot be chosen. */
export function toDraft(product: OpenProduct, facts: ProductFacts): ProductDraft {
  checkOptions(product)
  const { line, handle, shopName, variants, pictures } = product
  const placed = pictures.map((picture, index) => ({ ...picture, position: picture.position ?? index + 1 }))
  return {
    ...facts,
    line,
    handle,
    shopName: shopName || NO_SHOP,
    ...(facts.category !== undefined && { category: facts.category || NO_CATEGORY }),
    pictures: placed.toSorted((a, b) => a.position - b.position).map(withoutPosition),
    variants,
  }
}

function withoutPosition(row: PictureRow): StoredPicture {
  const { position, ...picture } = row
  return picture
}
