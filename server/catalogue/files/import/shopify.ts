import { shopSlug } from '#contract/rules.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import { NO_CATEGORY, NO_SHOP, type ProductDraft, type VariantDraft } from '#server/catalogue/files/drafts.ts'
import { BLANK_BESIDE_QUOTE, type OnProblem, type Row, rowsOf } from './csv.ts'
import { checkHeader } from './shopify-header.ts'
import { linesOf, UnreadableFileError } from './lines.ts'
import type { ReadOptions } from './read-options.ts'
import { stampsOf } from './seen.ts'
import { type Header, readHeader } from './shopify-columns.ts'
import { type Get, LONGEST, type PictureRow, type ProductFacts } from './shopify-row.ts'
import { readPicture, readProduct, readVariant } from './shopify-row.ts'
import { FieldError, readText } from './values.ts'

/** A product whose rows are still being read. */
interface Open {
  line: number
  handle: string
  shopName: string
  product: ProductFacts | null
  variants: VariantDraft[]
  keys: Set<string>
  pictures: PictureRow[]
  isRest: boolean
  isTold: boolean
  untrackedCount: number
  size: number
}

const MOST_VARIANTS = 2048
const MOST_PICTURES = 250
/**
 * The rows of a product need not be adjacent: products wait until this much of the file is read after them. Rows that
 * come even later are added to the product as stored.
 */
const WINDOW_CHARACTERS = 512 * 1024

/** The products of a Shopify product CSV. Rows that cannot be used are reported and left out. */
export async function* shopifyDrafts(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<ProductDraft> {
  const { onProblem } = options
  const waiting = new Map<string, Open[]>()
  const stored = stampsOf()
  let characters = 0
  let header: Header | undefined
  const early: Parameters<OnProblem>[] = []
  const rows = rowsOf(linesOf(chunks), (...problem) => {
    if (header) onProblem(...problem)
    else early.push(problem)
  })

  function* close(handle: string): Generator<ProductDraft> {
    for (const open of waiting.get(handle) ?? []) {
      characters -= open.size
      const draft = toDraft(open, header !== undefined && isStockGuessed(header, options), onProblem)
      if (!draft) continue
      if (!open.isRest) stored.add(handle, open.shopName)
      yield draft
    }
    waiting.delete(handle)
  }

  for await (const row of rows) {
    if (!header) {
      refuseFirst(early, row.line)
      header = readHeader(row.values)
      checkHeader(header, row, options)
      for (const problem of early) onProblem(...problem)
      continue
    }
    const known = header
    const get: Get = column => row.values[known.at[column] ?? -1] ?? ''
    try {
      if (row.values.some(value => /^[ \t]+"/.test(value))) throw new FieldError(BLANK_BESIDE_QUOTE)
      if (row.values.length !== known.width) {
        throw new FieldError(`${row.values.length} columns where the header has ${known.width}`)
      }
      const handle = readText('Handle', get('handle'), LONGEST.name)
      if (handle === '') throw new FieldError('Handle is missing')
      const open = openFor(
        waiting,
        stored.shopsOf(handle),
        handle,
        options.shop ?? readText('Vendor', get('vendor'), LONGEST.shop),
        row,
      )
      const size = row.values.reduce((sum, value) => sum + value.length, row.values.length * 8)
      open.size += size
      characters += size
      addRow(open, get, row, known, options)
      for (const oldest of waiting.keys()) {
        if (characters <= WINDOW_CHARACTERS) break
        yield* close(oldest)
      }
    } catch (error) {
      tell(error, row.line, onProblem)
    }
  }
  if (!header) {
    refuseFirst(early, Infinity)
    throw new UnreadableFileError('The file is empty')
  }
  for (const handle of waiting.keys()) yield* close(handle)
}

/** Throws `UnreadableFileError` for a problem before this line, as then the line is not the header. */
function refuseFirst([first]: Parameters<OnProblem>[], line: number): void {
  if (first && first[0] < line) throw new UnreadableFileError(`line ${first[0]}: ${first[1]}`)
}

/** The product of a row, by handle and shop. A row without a shop belongs to the latest product with its handle. */
function openFor(waiting: Map<string, Open[]>, stored: string[], handle: string, vendor: string, row: Row): Open {
  const opened = waiting.get(handle) ?? []
  // Moves it to the end: the product read last is closed last.
  waiting.delete(handle)
  waiting.set(handle, opened)
  const key = shopSlug(vendor)
  const found =
    vendor === '' ? opened.at(-1) : opened.find(({ shopName }) => ['', key].includes(shopName && shopSlug(shopName)))
  if (found) {
    found.shopName ||= vendor
    return found
  }
  const before = vendor === '' ? stored.at(-1) : stored.find(shopName => shopSlug(shopName) === key)
  const open: Open = {
    line: row.line,
    handle,
    shopName: before ?? vendor,
    product: null,
    variants: [],
    keys: new Set(),
    pictures: [],
    isRest: before !== undefined,
    isTold: false,
    untrackedCount: 0,
    size: 0,
  }
  opened.push(open)
  return open
}

function addRow(open: Open, get: Get, row: Row, header: Header, options: ReadOptions): void {
  const { onProblem } = options
  try {
    if (!open.product && get('title').trim() !== '') open.product = readProduct(get, options)
    const variant = readVariant(get, row.values, header, optionNames(open, get), options)
    if (variant) addVariant(open, variant)
    if (variant && isStockGuessed(header, options)) open.untrackedCount += 1
  } catch (error) {
    open.isTold = true
    tell(error, row.line, onProblem)
  }
  try {
    const picture = readPicture(get)
    if (picture) addPicture(open, picture)
  } catch (error) {
    tell(error, row.line, onProblem)
  }
}

function optionNames(open: Open, get: Get): string[] {
  const own = ([1, 2, 3] as const).map(n => get(`option${n}Name`).trim())
  return own.map((name, index) => name || (open.product?.optionNames[index] ?? ''))
}

function addVariant(open: Open, variant: VariantDraft): void {
  const key = JSON.stringify(variant.options)
  const name = variant.options.map(([, value]) => value).join(' / ') || 'product'
  if (open.keys.has(key)) throw new FieldError(`the same ${name} of ${open.handle} was there before`)
  if (open.variants.length >= MOST_VARIANTS)
    throw new FieldError(`${open.handle} has more than ${MOST_VARIANTS} variants`)
  open.keys.add(key)
  open.variants.push(variant)
}

function addPicture(open: Open, picture: PictureRow): void {
  if (open.pictures.some(({ source }) => source === picture.source)) return
  if (open.pictures.length >= MOST_PICTURES)
    throw new FieldError(`${open.handle} has more than ${MOST_PICTURES} pictures`)
  open.pictures.push(picture)
}

function isStockGuessed({ at }: Header, { stock }: ReadOptions): boolean {
  return at.quantity === undefined && stock === undefined
}

function toDraft(open: Open, isStockGuessed: boolean, onProblem: OnProblem): ProductDraft | null {
  const { line, handle, variants } = open
  const [first] = variants
  const product = open.product ?? (open.isRest ? RESTS : null)
  if (!product || (!first && !open.isRest)) {
    if (!open.isTold)
      onProblem(line, product ? `${handle} has no variant with a price` : `Title of ${handle} is missing`)
    return null
  }
  const placed = open.pictures.map((picture, index) => ({ ...picture, position: picture.position ?? index + 1 }))
  const pictures = placed.toSorted((a, b) => a.position - b.position).map(withoutPosition)
  return {
    ...product,
    line,
    handle,
    shopName: open.shopName || NO_SHOP,
    category: product.category || NO_CATEGORY,
    isStockGuessed,
    untrackedCount: open.untrackedCount,
    pictures,
    variants,
    isRest: open.isRest,
  }
}

function withoutPosition(row: PictureRow): StoredPicture {
  const { position: _, ...picture } = row
  return picture
}

const RESTS: ProductFacts = {
  name: '',
  category: '',
  brand: undefined,
  description: '',
  tags: [],
  isHidden: false,
  optionNames: [],
}

function tell(error: unknown, line: number, onProblem: OnProblem): void {
  if (!(error instanceof FieldError)) throw error
  onProblem(line, error.message)
}
