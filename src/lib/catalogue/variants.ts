import type { Variant } from '#contract/variants.ts'

export interface Choice {
  value: string
  isInStock: boolean
}

/** The options of a product ('Size'), each with its values in the seller's order. */
export function choicesOf(variants: Variant[]): { name: string; choices: Choice[] }[] {
  const byOption = new Map<string, Map<string, boolean>>()
  for (const { options, stock } of variants) {
    for (const [name, value] of Object.entries(options)) {
      const values = byOption.get(name) ?? new Map<string, boolean>()
      byOption.set(name, values.set(value, (values.get(value) ?? false) || stock > 0))
    }
  }
  return [...byOption].map(([name, values]) => ({
    name,
    choices: [...values].map(([value, isInStock]) => ({ value, isInStock })),
  }))
}
