import type { Option } from './variants.ts'

/** Longer lists of values are a select. */
export const MAX_CHIPS = 12

/** Widths in CSS pixels: of a phone's content, of the gap between two chips, and of a chip with its gap. */
const ROW = 358
const GAP = 8
const CHIP = { least: 52, padding: 34, letter: 9, swatch: 28 }

/** About how many rows the choices of a product take on a phone. */
export function optionRows(options: Option[], swatches: Record<string, string> = {}): number {
  return options.reduce((sum, { values }) => {
    if (values.length > MAX_CHIPS) return sum + 1
    const widths = values.map(({ value }) => {
      const swatch = Object.hasOwn(swatches, value) ? CHIP.swatch : 0
      return Math.max(CHIP.least, CHIP.padding + value.length * CHIP.letter + swatch)
    })
    return sum + Math.ceil(widths.reduce((width, each) => width + each, 0) / (ROW + GAP))
  }, 0)
}
