import type { ProductDraft } from '../drafts.ts'
import { addPictures, addVariant, openProduct, toDraft } from './open-product.ts'
import { describeSaleTimes } from './prices.ts'
import type { ReadOptions, Warn } from './read-options.ts'
import { readAddress, readOrReport } from './values.ts'
import {
  type Attribute,
  type Header,
  isImmaterial,
  readCell,
  readProduct,
  readSaleTimes,
  readUnits,
  readVariant,
  readWeight,
  type Row,
  splitList,
} from './woocommerce-row.ts'
import { ATTRIBUTE } from './woocommerce-columns.ts'
import { addVariations, readChoices, type Variation } from './woocommerce-variants.ts'

/** Shared state for reading the rows of a file. */
export interface Context {
  header: Header
  options: ReadOptions
  warn: Warn
  attributesOf: (row: Row) => Attribute[]
}

/** A product without variations. Throws `FieldError`. */
export function readSimple(row: Row, handle: string, context: Context): ProductDraft {
  const product = openProduct(row.line, handle, context.options.shop ?? '')
  const facts = readProduct(row, context.attributesOf(row))
  addVariant(product, { ...readVariant(row, context.options), ...unitsOf(row, context), options: [] })
  addPictures(product, { line: row.line, name: 'Images', addresses: picturesOf(row) }, context.options.onProblem)
  warnOf(row, context)
  return withoutAbsent(context.header, { ...toDraft(product, facts), slug: facts.name })
}

/** Throws `FieldError`. */
export function readVariation(row: Row, context: Context): Variation {
  const { attributesOf, header, options } = context
  const [address] = picturesOf(row)
  const source =
    address === undefined ? undefined : readOrReport(row.line, options.onProblem, () => readAddress('Images', address))
  const variation = {
    line: row.line,
    attributes: attributesOf(row),
    units: readUnits(row, header, options),
    draft: {
      ...readVariant(row, options),
      picture: source === undefined ? null : { source },
    },
  }
  warnOf(row, context)
  return variation
}

/** A product from its own row and the rows of its variations. Throws `FieldError`. */
export function readVariable(row: Row, handle: string, variations: Variation[], context: Context): ProductDraft {
  const { options, warn } = context
  const attributes = context.attributesOf(row)
  const choices = readChoices(handle, attributes, variations)
  const facts = readProduct(
    row,
    attributes.filter(({ name }) => !choices.some(choice => choice.name === name)),
  )
  const weightGrams = readWeight(row)
  const product = openProduct(row.line, handle, options.shop ?? '')
  if (addVariations(product, { choices, variations, ofParent: unitsOf(row, context) }, options.onProblem))
    warn(`line ${row.line}: the variants of ${handle} have one stock, which is divided among them`, 'shared')
  for (const variant of product.variants) variant.weightGrams ??= weightGrams
  addPictures(product, { line: row.line, name: 'Images', addresses: picturesOf(row) }, context.options.onProblem)
  return withoutAbsent(context.header, { ...toDraft(product, facts), slug: facts.name })
}

/** Leaves out what the file has no columns for, so that a stored product keeps it. */
function withoutAbsent({ at, extra }: Header, draft: ProductDraft): ProductDraft {
  const lacksWeight = [at.kilograms, at.grams, at.pounds, at.ounces].every(index => index === undefined)
  const absent = {
    ...(at.sku === undefined && { sku: undefined }),
    ...(at.barcode === undefined && { barcode: undefined }),
    ...(at.images === undefined && { picture: undefined }),
    ...(lacksWeight && { weightGrams: undefined }),
  }
  return {
    ...draft,
    ...(at.categories === undefined && { category: undefined }),
    ...(at.description === undefined && at.shortDescription === undefined && { description: undefined }),
    ...(at.tags === undefined && at.categories === undefined && { tags: undefined }),
    ...(at.published === undefined && at.visibility === undefined && { isHidden: undefined }),
    ...(at.images === undefined && { pictures: undefined }),
    variants: draft.variants.map(variant => ({ ...variant, ...absent })),
    lacksOptions: !extra.some(([, title]) => ATTRIBUTE.test(title)),
  }
}

function unitsOf(row: Row, { header, options }: Context) {
  return readUnits(row, header, options) ?? { stock: 0, sellsWithoutStock: false }
}

function picturesOf(row: Row): string[] {
  return splitList(readCell(row, 'images'))
}

function warnOf(row: Row, { warn }: Context): void {
  const { from, until } = readSaleTimes(row)
  if (from || until) warn(describeSaleTimes(row.line), 'sale times')
  if (isImmaterial(row))
    warn(`line ${row.line}: downloadable and virtual products are sold as goods that are shipped`, 'immaterial')
}
