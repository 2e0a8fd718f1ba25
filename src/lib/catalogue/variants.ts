import type { Product } from '#contract/product.ts'
import type { Variant } from '#contract/variants.ts'

/** `missing`: no variant has this value together with the chosen values of the options before it. */
export type ValueState = 'buyable' | 'soldOut' | 'missing'

export interface Option {
  name: string
  values: { value: string; state: ValueState; isChosen: boolean }[]
}

type Kind = Pick<Variant, 'options' | 'stock'>

/** The options of a product with their values, in the seller's order; states depend on the chosen variant. */
export function optionsOf(variants: Kind[], chosen: Kind): Option[] {
  const names = optionNames(variants)
  return names.map((name, at) => {
    const before = names.slice(0, at)
    const isReachable = ({ options }: Kind) => before.every(each => options[each] === chosen.options[each])
    const states = new Map<string, ValueState>()
    for (const variant of variants) {
      const value = variant.options[name]
      if (value === undefined) continue
      const best = states.get(value) ?? 'missing'
      states.set(value, best !== 'buyable' && isReachable(variant) ? stateOf(variant) : best)
    }
    const values = Array.from(states, ([value, state]) => ({ value, state, isChosen: chosen.options[name] === value }))
    return { name, values }
  })
}

/** The variant that a product's page shows first: the first one in stock. Undefined for a product without options. */
export function firstChoice<Of extends Kind>(variants: Of[]): Of | undefined {
  return variants.find(({ stock }) => stock > 0) ?? variants[0]
}

/**
 * The variant after choosing another value of one option of `chosen`. If no variant has it together with the values of
 * the other options, these change to the nearest values that exist; the first options change as little as possible.
 */
export function choose<Of extends Kind>(variants: Of[], chosen: Of, name: string, value: string): Of {
  const others = optionNames(variants).filter(each => each !== name)
  const orders = others.map(each => valuesOf(variants, each))
  const distances = ({ options }: Kind) =>
    others.map((each, at) => Math.abs(placeIn(orders[at], options[each]) - placeIn(orders[at], chosen.options[each])))
  const [nearest] = variants
    .filter(({ options }) => options[name] === value)
    .map(variant => ({ variant, rank: [...distances(variant), variant.stock > 0 ? 0 : 1] }))
    .toSorted((one, other) => compareRanks(one.rank, other.rank))
  return nearest?.variant ?? chosen
}

/** The variant with exactly these values, given in the order of the options. */
export function findVariant<Of extends Kind>(variants: Of[], values: (string | undefined)[]): Of | undefined {
  const names = optionNames(variants)
  return variants.find(({ options }) => names.every((name, at) => options[name] === values[at]))
}

/** The variant after choosing all values that differ from those of `chosen`. */
export function chooseAll<Of extends Kind>(variants: Of[], chosen: Of, values: (string | undefined)[]): Of {
  const exact = findVariant(variants, values)
  if (exact) return exact
  return optionNames(variants).reduce((variant, name, at) => {
    const value = values[at]
    return value === undefined || value === chosen.options[name] ? variant : choose(variants, variant, name, value)
  }, chosen)
}

/** The names of a product's options, in the seller's order. */
export function optionNames(variants: Kind[]): string[] {
  return [...new Set(variants.flatMap(({ options }) => Object.keys(options)))]
}

/** The product with the price, discount, stock and picture of one of its variants. */
export function asVariant(product: Product, { priceCents, discount, lowestCents, stock, image }: Variant): Product {
  const images = image ? [image, ...product.images.filter(each => each !== image)] : product.images
  return { ...product, priceCents, discount, lowestCents, stock, images }
}

function valuesOf(variants: Kind[], name: string): string[] {
  return [...new Set(variants.flatMap(({ options }) => options[name] ?? []))]
}

function stateOf({ stock }: Kind): ValueState {
  return stock > 0 ? 'buyable' : 'soldOut'
}

function placeIn(values: string[] = [], value = ''): number {
  return values.indexOf(value)
}

function compareRanks(one: number[], other: number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index])
  return at < 0 ? 0 : one[at]! - other[at]!
}
