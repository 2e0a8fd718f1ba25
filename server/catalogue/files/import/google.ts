import type { ProductDraft, VariantDraft } from '#server/catalogue/files/drafts.ts'
import { type Item, openMoney, picturesOf, readFacts, readIdentity, readTitle, readVariant } from './google-item.ts'
import { addPictures, addVariant, MOST_VARIANTS, openProduct, toDraft } from './open-product.ts'
import { describeNoShop, openWarnings, type ReadOptions } from './read-options.ts'
import { stampsOf } from './seen.ts'
import { FieldError, LONGEST, readOrReport, readText } from './values.ts'
import { createWindow } from './window.ts'

/** The options of a product, by their names in a feed. Of the last two, only those that differ between its items. */
const OPTIONS = { colour: 'Color', size: 'Size', material: 'Material', pattern: 'Pattern' } as const
const ALWAYS: string[] = [OPTIONS.colour, OPTIONS.size]
const MOST_OPTIONS = 3
/** Between a title and the values after it, as in 'Boot - Blue (43)'. */
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
}

/** The items of a product need not be adjacent: a product waits until this much of the feed is read after it. */
const WINDOW_CHARACTERS = 32 * 1024 * 1024

/** The products of a Google Merchant feed. Items that cannot be used are reported and left out. */
export async function* googleDrafts(items: AsyncIterable<Item>, options: ReadOptions): AsyncGenerator<ProductDraft> {
  const { onProblem, shop } = options
  const warn = openWarnings(options)
  const readMoney = openMoney(options)
  const groups = createWindow<Group>(WINDOW_CHARACTERS)
  const closed = stampsOf()
  if (shop === undefined) warn(describeNoShop('the feed'))

  function* close(group: Group): Generator<ProductDraft> {
    closed.add(group.handle, '')
    const draft = toProduct(group, options)
    if (draft) yield draft
  }

  for await (const item of items) {
    readOrReport(item.line, onProblem, () => {
      const { id, group } = readIdentity(item)
      const handle = group || id
      if (closed.shopsOf(handle).length > 0) throw new FieldError(`the other items of ${handle} are too far above`)
      const read = { item, choices: readChoices(item), variant: readVariant(item, readMoney, options, warn) }
      readTitle(item)
      const { items: others } = groups.touch(handle, item.size, () => ({ handle, isGrouped: group !== '', items: [] }))
      if (others.length >= MOST_VARIANTS) throw new FieldError(`${handle} has more than ${MOST_VARIANTS} items`)
      others.push(read)
    })
    for (const [, group] of groups.removeOldest()) yield* close(group)
  }
  for (const [, group] of groups.removeAll()) yield* close(group)
}

function readChoices({ get }: Item): ReadItem['choices'] {
  return (Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]).map(column => [
    OPTIONS[column],
    readText(column, get(column), LONGEST.option),
  ])
}

function toProduct({ handle, isGrouped, items }: Group, { onProblem, shop = '' }: ReadOptions): ProductDraft | null {
  const [first] = items
  if (!first) return null
  const { line } = first.item
  const facts = readOrReport(line, onProblem, () => readFacts(first.item, nameOf(first, isGrouped)))
  if (!facts) return null
  const names = namesOf(items)
  const product = openProduct(line, handle, shop)
  for (const { item, choices, variant } of items) {
    const addresses = picturesOf(item)
    addPictures(product, { line: item.line, name: 'image_link', addresses }, onProblem)
    const own = isGrouped ? product.pictures.find(({ source }) => source === addresses[0]) : undefined
    const picture = own?.source === undefined ? null : { source: own.source }
    readOrReport(item.line, onProblem, () =>
      addVariant(product, { ...variant, picture, options: optionsOf(choices, names, handle) }),
    )
  }
  if (product.variants.length === 0) return null
  return readOrReport(line, onProblem, () => ({ ...toDraft(product, facts), slug: facts.name })) ?? null
}

/** The title of an item; in a group, without the item's own values at its end. */
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

/** The names of a product's options: its first item has them all. */
function namesOf([first, ...others]: ReadItem[]): string[] {
  const isOption = ([name, value]: ReadItem['choices'][number]): boolean => {
    const isSame = ({ choices }: ReadItem) => choices.some(each => each[0] === name && each[1] === value)
    return value !== '' && (ALWAYS.includes(name) || !others.every(isSame))
  }
  return (first?.choices ?? [])
    .filter(isOption)
    .map(([name]) => name)
    .slice(0, MOST_OPTIONS)
}

function optionsOf(choices: ReadItem['choices'], names: string[], handle: string): VariantDraft['options'] {
  const own = choices.filter(([name]) => names.includes(name))
  const missing = own.find(([, value]) => value === '')
  if (missing) throw new FieldError(`${missing[0].toLowerCase()} is missing, which the first item of ${handle} has`)
  return own
}
