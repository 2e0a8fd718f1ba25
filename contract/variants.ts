import * as z from 'zod/mini'
import { renamed } from './endpoint.ts'
import { Usd } from './wire.ts'

const variantShape = {
  _id: z._default(z.string(), ''),
  /** For example 'Size 43, Blue'. */
  title: z._default(z.string(), ''),
  /** Option name → value, in the seller's order. */
  options: z._default(z.record(z.string(), z.string()), {}),
  sku: z._default(z.string(), ''),
}

/**
 * A version of a product that can be bought, such as one size. `stock` is the number of units that can be ordered now.
 * `lowestPrice` is its lowest price in the 30 days before the current discount began, if known.
 */
export const Variant = renamed(
  {
    ...variantShape,
    barcode: z._default(z.string(), ''),
    price: Usd,
    discount: z._default(z.number(), 0),
    lowestPrice: z.optional(Usd),
    stock: z.int(),
    image: z.optional(z.string()),
  },
  { price: 'priceCents', lowestPrice: 'lowestCents' },
)
export type Variant = z.output<typeof Variant>

/** The variant of a cart line or order line. */
export const ChosenVariant = z.object(variantShape)
export type ChosenVariant = z.output<typeof ChosenVariant>

interface Snapshot {
  name: string
  variant?: { options: readonly (readonly [name: string, value: string])[]; sku: string } | undefined
}

/** Whether an option is the colour, in British or American spelling. */
export function isColour(optionName: string): boolean {
  return /^colou?r$/i.test(optionName)
}

/** Names a variant by its options: 'Size 43, Blue'. Omits the option's name before a colour. Empty without options. */
export function variantTitle(options: readonly (readonly [name: string, value: string])[]): string {
  return options.map(([name, value]) => (isColour(name) ? value : `${name} ${value}`)).join(', ')
}

type Named = Partial<Pick<ChosenVariant, 'title' | 'sku'>>

/** Names a product with its variant: 'Sneaker (Size 43, Blue, SKU SN-43)'. */
export function lineName(name: string, { title, sku }: Named = {}): string {
  const details = [title, sku && `SKU ${sku}`].filter(Boolean).join(', ')
  return details ? `${name} (${details})` : name
}

/** `lineName` for a snapshot of a product and its variant, for shops. */
export function snapshotName({ name, variant }: Snapshot): string {
  return lineName(name, variant && { title: variantTitle(variant.options), sku: variant.sku })
}

/** Names a snapshot to its customer, without the SKU: 'Sneaker (Size 43, Blue)'. */
export function nameWithoutSku({ name, variant }: Snapshot): string {
  return lineName(name, variant && { title: variantTitle(variant.options) })
}

/** The error when a product has several variants and none was chosen: 'Please choose Size and Colour'. */
export function pleaseChoose(optionNames: string[]): string {
  return `Please choose ${optionNames.join(' and ')}`
}
