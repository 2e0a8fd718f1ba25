import { shopSlug } from '#contract/rules.ts'
import type { ProductDraft } from '../drafts.ts'
import type { OnProblem } from './csv.ts'
import { addPicture, addVariant, openProduct, type OpenProduct, toDraft } from './open-product.ts'
import { describeGuess, type ReadOptions } from './read-options.ts'
import { rememberProducts } from './seen.ts'
import { type Column, COLUMNS } from './shopify-columns.ts'
import {
  type Get,
  type Header,
  type ProductFacts,
  readPicture,
  readProduct,
  readVariant,
  readVariantPicture,
} from './shopify-row.ts'
import type { TableRow } from './table.ts'
import { FieldError, MAX_LENGTHS, readOrReport, readText, shown } from './values.ts'
import { createWindow } from './window.ts'

/** A product whose rows are still being read. */
interface Open extends OpenProduct {
  /** The slug of the product's shop; empty until a row names one. */
  shop: string
  facts: ProductFacts | null
  isRest: boolean
  /** A problem with the product has been reported. */
  isReported: boolean
}

/**
 * The rows of a product need not be adjacent: it is completed once this much of the file has been read after it. Later
 * rows are added to the stored product. A larger window costs memory of the open shop.
 */
const WINDOW_CHARACTERS = 8 * 1024 * 1024

/** The products of a Shopify product CSV. Rows that cannot be used are reported and left out. */
export async function* shopifyDrafts(
  rows: AsyncIterable<TableRow<Column>>,
  header: Header,
  options: ReadOptions,
): AsyncGenerator<ProductDraft> {
  const { onProblem, onLostRow } = options
  const waiting = createWindow<Open[]>(WINDOW_CHARACTERS)
  const stored = rememberProducts()
  warnOfQuantities(header, options)

  function* close(handle: string, products: Open[]): Generator<ProductDraft> {
    for (const open of products) {
      const draft = complete(open, header, onProblem)
      if (!draft) continue
      if (!open.isRest) stored.add(handle, open.shopName)
      yield draft
    }
  }

  for await (const row of rows) {
    const { line, get, size } = row
    readOrReport(line, onLostRow, () => {
      const handle = readText('Handle', get('handle'), MAX_LENGTHS.name)
      if (handle === '') throw new FieldError('Handle is missing')
      const vendor = options.shop ?? readText('Vendor', get('vendor'), MAX_LENGTHS.shop)
      const products = waiting.touch(handle, size, () => [])
      addRow(findOrOpen(products, { stored: stored.shopsOf(handle), handle, vendor, line }), row, header, options)
    })
    for (const [handle, products] of waiting.removeOldest()) yield* close(handle, products)
  }
  for (const [handle, products] of waiting.removeAll()) yield* close(handle, products)
}

function warnOfQuantities({ at }: Header, options: ReadOptions): void {
  const name = shown(COLUMNS.quantity)
  if (at.quantity === undefined) {
    if (options.stock === undefined) options.onWarning(describeGuess(`the file has no column ${name}`, options))
  } else if (options.stock !== undefined) options.onWarning(`--stock is not used: the file has the column ${name}`)
}

interface Named {
  /** The shops that have a product with this handle. */
  stored: string[]
  handle: string
  vendor: string
  line: number
}

/** The product of a row, by handle and shop. A row without a shop belongs to the latest product with its handle. */
function findOrOpen(opened: Open[], { stored, handle, vendor, line }: Named): Open {
  const key = shopSlug(vendor)
  const found = vendor === '' ? opened.at(-1) : opened.find(({ shop }) => shop === '' || shop === key)
  if (found?.shopName === '') Object.assign(found, { shopName: vendor, shop: vendor && key })
  if (found) return found
  const before = vendor === '' ? stored.at(-1) : stored.find(shopName => shopSlug(shopName) === key)
  const product = openProduct(line, handle, before ?? vendor)
  const shop = product.shopName && shopSlug(product.shopName)
  const open: Open = { ...product, shop, facts: null, isRest: before !== undefined, isReported: false }
  opened.push(open)
  return open
}

function addRow(open: Open, row: TableRow<Column>, header: Header, options: ReadOptions): void {
  const { line, get } = row
  const { onProblem } = options
  const isRead = readOrReport(line, onProblem, () => {
    if (!open.facts && get('title').trim() !== '') open.facts = readProduct(get, header, options)
    const variant = readVariant(row, header, optionNames(open, get), options)
    const picture = variant && readOrReport(line, onProblem, () => readVariantPicture(get))
    const hasPictures = header.at.variantImage !== undefined
    if (variant) addVariant(open, { ...variant, ...(hasPictures && { picture: picture ?? null }) })
    return true
  })
  open.isReported ||= !isRead
  readOrReport(line, onProblem, () => {
    const picture = readPicture(get, header)
    if (picture) addPicture(open, picture)
  })
}

function optionNames(open: Open, get: Get): string[] {
  const own = ([1, 2, 3] as const).map(n => get(`option${n}Name`).trim())
  return own.map((name, index) => name || (open.facts?.optionNames[index] ?? ''))
}

function complete(open: Open, { at }: Header, onProblem: OnProblem): ProductDraft | null {
  const { line, handle, variants, isRest, isReported } = open
  const facts = open.facts ?? (isRest ? REST : null)
  if (!facts || (variants.length === 0 && !isRest)) {
    if (!isReported) onProblem(line, facts ? `${handle} has no variant with a price` : `Title of ${handle} is missing`)
    return null
  }
  const { optionNames, ...own } = facts
  const absent = {
    ...(at.imageSrc === undefined && { pictures: undefined }),
    lacksOptions: at.option1Value === undefined,
  }
  return (
    readOrReport(line, onProblem, () => ({ ...toDraft(open, own), ...absent, isRest, isPartial: isReported })) ?? null
  )
}

const REST: ProductFacts = { name: '', optionNames: [] }
