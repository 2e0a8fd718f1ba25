import { shopSlug } from '#contract/rules.ts'
import type { StoredPicture } from '#server/db/schema.ts'
import { NO_CATEGORY, NO_SHOP, type ProductDraft, type VariantDraft } from '#server/services/catalogue-drafts.ts'
import type { OnProblem, Row } from './csv.ts'
import { UnreadableFile } from './lines.ts'
import { stampsOf } from './seen.ts'
import { type Header, readHeader } from './shopify-columns.ts'
import { type Get, LONGEST, type PictureRow, type ProductFacts } from './shopify-row.ts'
import { readPicture, readProduct, readVariant } from './shopify-row.ts'
import { Fault, readText } from './values.ts'

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
  size: number
}

const MOST_VARIANTS = 2048
const MOST_PICTURES = 250
/**
 * The rows of one product need not stand together: a product waits until this much of the file has been read after its
 * last row. Rows that come even later are added to what is stored by then.
 */
const WINDOW_CHARACTERS = 512 * 1024

/** The products of a Shopify product file, in its order. Rows that cannot be used are told and left out. */
export async function* shopifyDrafts(rows: AsyncIterable<Row>, onProblem: OnProblem): AsyncGenerator<ProductDraft> {
  const waiting = new Map<string, Open[]>()
  const stored = stampsOf()
  let characters = 0
  let header: Header | undefined

  function* close(handle: string): Generator<ProductDraft> {
    for (const open of waiting.get(handle) ?? []) {
      characters -= open.size
      const draft = toDraft(open, onProblem)
      if (!draft) continue
      if (!open.isRest) stored.add(handle, open.shopName)
      yield draft
    }
    waiting.delete(handle)
  }

  for await (const row of rows) {
    if (!header) {
      header = usable(readHeader(row.values), row.values)
      continue
    }
    const known = header
    const get: Get = column => row.values[known.at[column] ?? -1] ?? ''
    try {
      if (row.values.length !== known.width) {
        throw new Fault(`${row.values.length} columns where the header has ${known.width}`)
      }
      const handle = readText('Handle', get('handle'), LONGEST.name)
      if (handle === '') throw new Fault('Handle is missing')
      const open = openFor(
        waiting,
        stored.shopsOf(handle),
        handle,
        readText('Vendor', get('vendor'), LONGEST.shop),
        row,
      )
      const size = row.values.reduce((sum, value) => sum + value.length, row.values.length * 8)
      open.size += size
      characters += size
      addRow(open, get, row, known, onProblem)
      for (const oldest of waiting.keys()) {
        if (characters <= WINDOW_CHARACTERS) break
        yield* close(oldest)
      }
    } catch (error) {
      tell(error, row.line, onProblem)
    }
  }
  if (!header) throw new UnreadableFile('The file is empty')
  for (const handle of waiting.keys()) yield* close(handle)
}

function usable(header: Header, names: string[]): Header {
  if (header.missing.length === 0) return header
  const isOtherwise = names.length === 1 && /[;\t|]/.test(names[0] ?? '')
  const hint = isOtherwise ? ' (the columns must be separated by commas)' : ''
  throw new UnreadableFile(`The file lacks the columns ${header.missing.join(', ')}${hint}`)
}

/** The product that a row belongs to: of this handle and shop; a row without a shop belongs to the product before it. */
function openFor(waiting: Map<string, Open[]>, stored: string[], handle: string, vendor: string, row: Row): Open {
  const opened = waiting.get(handle) ?? []
  // The product read last is the last to be closed.
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
    size: 0,
  }
  opened.push(open)
  return open
}

function addRow(open: Open, get: Get, row: Row, header: Header, onProblem: OnProblem): void {
  try {
    if (!open.product && get('title').trim() !== '') open.product = readProduct(get)
    const variant = readVariant(get, row.values, header, optionNames(open, get))
    if (variant) addVariant(open, variant)
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
  if (open.keys.has(key)) throw new Fault(`the same ${name} of ${open.handle} was there before`)
  if (open.variants.length >= MOST_VARIANTS) throw new Fault(`${open.handle} has more than ${MOST_VARIANTS} variants`)
  open.keys.add(key)
  open.variants.push(variant)
}

function addPicture(open: Open, picture: PictureRow): void {
  if (open.pictures.some(({ source }) => source === picture.source)) return
  if (open.pictures.length >= MOST_PICTURES) throw new Fault(`${open.handle} has more than ${MOST_PICTURES} pictures`)
  open.pictures.push(picture)
}

function toDraft(open: Open, onProblem: OnProblem): ProductDraft | null {
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
    // The first variant is the one that a Shopify shop shows first, and the one whose price stands on its cards.
    price: { paidCents: first?.priceCents ?? 0, compareAtCents: first?.compareAtCents ?? null },
    stock: variants.reduce((sum, { stock }) => sum + stock, 0),
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
  if (!(error instanceof Fault)) throw error
  onProblem(line, error.message)
}
