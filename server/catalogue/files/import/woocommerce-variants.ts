import type { VariantDraft } from '../drafts.ts'
import type { OnProblem } from './csv.ts'
import { addVariant, checkOptionNames, MAX_VARIANTS, type OpenProduct } from './open-product.ts'
import { FieldError, readOrReport } from './values.ts'
import type { Attribute, Units } from './woocommerce-row.ts'

const MAX_OPTIONS = 3

/** A row of a variable product, without its options. */
export interface Variation {
  line: number
  attributes: Attribute[]
  /** Null if the variation shares its parent's stock. */
  units: Units | null
  draft: Omit<VariantDraft, keyof Units | 'options'>
}

/** An attribute in which the variations of a product differ. */
interface Choice {
  name: string
  /** The values in the seller's order, by their keys. */
  values: Map<string, string>
}

/**
 * The attributes in which the variations differ. Throws `FieldError` if there are more of them, or of their values,
 * than a product can have, or if a variation has an attribute twice.
 */
export function readChoices(handle: string, attributes: Attribute[], variations: Variation[]): Choice[] {
  for (const variation of variations)
    checkOptionNames(
      handle,
      variation.attributes.map(({ name }) => name),
    )
  const used = variations.flatMap(({ attributes }) =>
    attributes.map(({ name, values }) => ({ name, values: values.slice(0, 1) })),
  )
  const names = new Set(used.map(({ name }) => keyOf(name)))
  const listed = attributes.filter(({ name }) => names.has(keyOf(name)))
  const choices = new Map<string, Choice>()
  for (const { name, values } of [...listed, ...used]) {
    const choice = choices.get(keyOf(name)) ?? { name, values: new Map() }
    choices.set(keyOf(name), choice)
    for (const value of values) {
      if (!choice.values.has(keyOf(value))) choice.values.set(keyOf(value), value)
      if (choice.values.size > MAX_VARIANTS) throw new FieldError(`${name} has more than ${MAX_VARIANTS} values`)
    }
  }
  if (choices.size > MAX_OPTIONS)
    throw new FieldError(
      `its variations differ in ${choices.size} attributes; a product has up to ${MAX_OPTIONS} options`,
    )
  return [...choices.values()]
}

/**
 * Adds the variants of these variations to their product. A variation that stands for any value of an attribute becomes
 * one variant for each value that no other variation has. These variants divide its stock among them, and variations
 * that share their parent's stock divide that, so that no unit is sold twice. Returns whether any stock was divided.
 */
export function addVariations(
  product: OpenProduct,
  { choices, variations, ofParent }: { choices: Choice[]; variations: Variation[]; ofParent: Units },
  onProblem: OnProblem,
): boolean {
  const sharing = new Map<Variation | null, VariantDraft[]>()
  const open = new Set<string>()
  const chosenCount = ({ attributes }: Variation) => attributes.filter(({ values }) => values.length > 0).length
  for (const variation of variations.toSorted((a, b) => chosenCount(b) - chosenCount(a))) {
    const { line, attributes, units, draft } = variation
    const sharer = units ? variation : null
    const variants = sharing.get(sharer) ?? []
    sharing.set(sharer, variants)
    readOrReport(line, onProblem, () => {
      const values = choices.map(choice => valuesOf(choice, attributes))
      const isAny = countOf(values) > 1
      const key = JSON.stringify(choices.map(({ name }) => chosenValue(name, attributes)))
      if (isAny && open.has(key)) throw new FieldError('a variation with these attributes is in the file twice')
      open.add(key)
      for (const options of combine(values)) {
        if (isAny && product.keys.has(JSON.stringify(options))) continue
        const variant = { ...draft, ...(units ?? ofParent), options }
        addVariant(product, variant)
        variants.push(variant)
      }
    })
  }
  sortBy(choices, product.variants)
  return [...sharing.values()].map(divideStock).includes(true)
}

type Option = [name: string, value: string]

/** The values of one attribute that a variation stands for, as options. Throws `FieldError` if there are none. */
function valuesOf({ name, values }: Choice, attributes: Attribute[]): Option[] {
  const value = chosenValue(name, attributes)
  const chosen = value === undefined ? [...values.values()] : [values.get(keyOf(value)) ?? value]
  if (chosen.length === 0) throw new FieldError(`${name} has no value`)
  return chosen.map(each => [name, each])
}

function chosenValue(name: string, attributes: Attribute[]): string | undefined {
  return attributes.find(attribute => keyOf(attribute.name) === keyOf(name))?.values[0]
}

function countOf(lists: Option[][]): number {
  return lists.reduce((count, list) => count * list.length, 1)
}

/** All combinations of one option from each list. */
function* combine([first, ...others]: Option[][]): Generator<Option[]> {
  if (!first) yield []
  else for (const option of first) for (const rest of combine(others)) yield [option, ...rest]
}

function sortBy(choices: Choice[], variants: VariantDraft[]): void {
  const ranks = choices.map(({ values }) => new Map([...values.values()].map((value, at) => [value, at])))
  const rankOf = ({ options }: VariantDraft, at: number) => ranks[at]?.get(options[at]?.[1] ?? '') ?? 0
  variants.sort((a, b) => ranks.reduce((order, _, at) => order || rankOf(a, at) - rankOf(b, at), 0))
}

function divideStock(variants: VariantDraft[]): boolean {
  const [first] = variants
  if (!first || variants.length < 2 || first.stock === 0 || first.stockGuess) return false
  const { stock } = first
  const least = Math.floor(stock / variants.length)
  const more = stock - least * variants.length
  for (const [at, variant] of variants.entries()) variant.stock = least + (at < more ? 1 : 0)
  return true
}

/** A key that is equal for 'Dark Blue' and 'dark-blue': variations in older files have slugs. */
function keyOf(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '-')
}
