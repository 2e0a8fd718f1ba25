import type { ProductDraft, VariantDraft } from '../drafts.ts'
import { type Item, openMoney, picturesOf, readFacts, readIdentity, readTitle, readVariant } from './google-item.ts'
import { addPictures, addVariant, MAX_VARIANTS, openProduct, toDraft } from './open-product.ts'
import { describeNoShop, openWarnings, type ReadOptions } from './read-options.ts'
import { rememberProducts } from './seen.ts'
import { FieldError, MAX_LENGTHS, readOrReport, readText } from './values.ts'
import { createWindow } from './window.ts'

/** The options of a product, by their column. Material and pattern count only if they differ between its items. */
const OPTIONS = { colour: 'Color', size: 'Size', material: 'Material', pattern: 'Pattern' } as const
const ALWAYS: string[] = [OPTIONS.colour, OPTIONS.size]
const MAX_OPTIONS = 3
/** Characters between a title and the option values after it, as in 'Boot - Blue (43)'. */
const SEPARATORS = /[\s,;:/|([–—-]+$/

interface ReadItem {
  item: Item
  /** Option name → value, empty without one. */
  choices: [name: string, value: string][]
  variant: VariantDraft
}

/** The items of a product so far. */
interface Group {
  handle: string
  isGrouped: boolean
  items: ReadItem[]
  /** Includes items that cannot be used. */
  itemCount: number
}

/** The items of a product need not be adjacent: it is completed once this much of the feed has been read after it. */
const WINDOW_CHARACTERS = 32 * 1024 * 1024

/** The products of a Google Merchant feed. Items that cannot be used are reported and left out. */
export async function* googleDrafts(items: AsyncIterable<Item>, options: ReadOptions): AsyncGenerator<ProductDraft> {
  const { onProblem, onLostRow, shop } = options
  const warn = openWarnings(options)
  const readMoney = openMoney(options)
  const groups = createWindow<Group>(WINDOW_CHARACTERS)
  const closed = rememberProducts()
  if (shop === undefined) warn(describeNoShop('the feed'))

  function* close(group: Group): Generator<ProductDraft> {
    closed.add(group.handle, '')
    const draft = toProduct(group, options)
    if (draft) yield draft
  }

  /** Throws `FieldError`. */
  function addItem(item: Item, { id, group }: ReturnType<typeof readIdentity>): void {
    const handle = group || id
    if (closed.shopsOf(handle).length > 0) throw new FieldError(`the other items of ${handle} are too far above`)
    const isGrouped = group !== ''
    const open = groups.touch(handle, item.size, () => ({ handle, isGrouped, items: [], itemCount: 0 }))
    open.itemCount += 1
    const read = { item, choices: readChoices(item), variant: readVariant(item, readMoney, options, warn) }
    readTitle(item)
    if (open.items.length >= MAX_VARIANTS) throw new FieldError(`${handle} has more than ${MAX_VARIANTS} items`)
    open.items.push(read)
  }

  for await (const item of items) {
    const identity = readOrReport(item.line, onLostRow, () => readIdentity(item))
    if (identity) readOrReport(item.line, onProblem, () => addItem(item, identity))
    for (const [, group] of groups.removeOldest()) yield* close(group)
  }
  for (const [, group] of groups.removeAll()) yield* close(group)
}

function readChoices({ get }: Item): ReadItem['choices'] {
  return (Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]).map(column => [
    OPTIONS[column],
    readText(column, get(column), MAX_LENGTHS.option),
  ])
}

function toProduct(
  { handle, isGrouped, items, itemCount }: Group,
  { onProblem, shop = '' }: ReadOptions,
): ProductDraft | null {
  const names = namesOf(items)
  const first = items.find(each => !findMisfit(each, names, handle)) ?? items[0]
  if (!first) return null
  const { line } = first.item
  const facts = readOrReport(line, onProblem, () => readFacts(first.item, nameOf(first, isGrouped)))
  if (!facts) return null
  const product = openProduct(line, handle, shop)
  for (const each of items) {
    const { item, choices, variant } = each
    const addresses = picturesOf(item)
    addPictures(product, { line: item.line, name: 'image_link', addresses }, onProblem)
    const own = isGrouped ? product.pictures.find(({ source }) => source === addresses[0]) : undefined
    const picture = own?.source === undefined ? null : { source: own.source }
    readOrReport(item.line, onProblem, () => {
      const misfit = findMisfit(each, names, handle)
      if (misfit !== undefined) throw new FieldError(misfit)
      const options = choices.filter(([name]) => names.includes(name))
      addVariant(product, { ...variant, ...(addresses.length > 0 && { picture }), options })
    })
  }
  if (product.variants.length === 0) return null
  const absent = {
    ...(product.pictures.length === 0 && { pictures: undefined }),
    lacksOptions: names.length === 0,
    isPartial: product.variants.length < itemCount,
  }
  return readOrReport(line, onProblem, () => ({ ...toDraft(product, facts), ...absent, slug: facts.name })) ?? null
}

/** The title of an item. In a group, the option values at its end are cut off. */
function nameOf({ item, choices }: ReadItem, isGrouped: boolean): string {
  const title = readTitle(item)
  const values = choices.map(([, value]) => value.toLowerCase()).filter(Boolean)
  const cut = (name: string): string => {
    const bare = name.replace(/[\s)\]]+$/, '')
    const value = values.find(each => bare.slice(-each.length).toLowerCase() === each)
    const rest = value === undefined ? '' : bare.slice(0, -value.length)
    return SEPARATORS.test(rest) ? cut(rest.replace(SEPARATORS, '')) : name
  }
  return (isGrouped && cut(title)) || title
}

/**
 * The names of a product's options. An option counts only if at least half of the items have a value for it: otherwise,
 * one odd item would make all others invalid.
 */
function namesOf(items: ReadItem[]): string[] {
  const isOption = (name: string): boolean => {
    const values = items.map(({ choices }) => valueOf(choices, name)).filter(Boolean)
    const isUsual = values.length > 0 && values.length * 2 >= items.length
    return isUsual && (ALWAYS.includes(name) || new Set(values).size > 1)
  }
  return Object.values(OPTIONS).filter(isOption).slice(0, MAX_OPTIONS)
}

function valueOf(choices: ReadItem['choices'], name: string): string {
  return choices.find(choice => choice[0] === name)?.[1] ?? ''
}

/** Why an item is no variant of a product with these options; undefined if it is one. */
function findMisfit({ choices }: ReadItem, names: string[], handle: string): string | undefined {
  const missing = names.find(name => valueOf(choices, name) === '')
  if (missing) return `${missing.toLowerCase()} is missing, which other items of ${handle} have`
  const odd = ALWAYS.find(name => !names.includes(name) && valueOf(choices, name) !== '')
  return odd && `${odd.toLowerCase()} is given, which most items of ${handle} lack`
}
