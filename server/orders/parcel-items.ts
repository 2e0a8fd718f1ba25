import { snapshotName } from '#contract/variants.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { type OrderPart, unsentUnits } from './parts.ts'

/** What a shop puts into a parcel: all unsent units of a line, or `quantity` of them. */
export interface ParcelItem {
  /** The SKU, the product's slug, or the line's number within the seller's part, counted from 1. */
  name: string
  quantity?: number | undefined
}

type Line = OrderPart['lines'][number]

/**
 * The units of a parcel, keyed by line id: those of the items or, without items, all unsent ones. Throws a
 * `NotFoundError` for an item that the part does not have, and a `ConflictError` for one that names several lines or
 * more units than are unsent.
 */
export function chooseUnits(part: OrderPart, items: ParcelItem[]): Map<string, number> {
  const unsent = unsentUnits(part)
  if (items.length === 0) return unsent
  const chosen = new Map<string, number>()
  for (const { name, quantity } of items) {
    const line = findLine(part, name)
    const left = (unsent.get(line.id) ?? 0) - (chosen.get(line.id) ?? 0)
    const units = quantity ?? left
    if (units < 1 || units > left) throw new ConflictError(`${nameOf(line)}: ${left} left to send`)
    chosen.set(line.id, (chosen.get(line.id) ?? 0) + units)
  }
  return chosen
}

function findLine({ lines, shopName }: OrderPart, name: string): Line {
  const bySku = lines.filter(({ snapshot }) => snapshot?.variant?.sku === name)
  const found = bySku.length > 0 ? bySku : lines.filter(({ snapshot }) => snapshot?.slug === name)
  const [line = lines[Number(name) - 1], ...others] = found
  if (!line)
    throw new NotFoundError(`${shopName} has no '${name}' in this order: name a SKU, a slug or a line's number`)
  if (others.length > 0)
    throw new ConflictError(
      `'${name}' is ambiguous: ${[line, ...others].map(each => numbered(lines, each)).join(', ')}`,
    )
  return line
}

function numbered(lines: Line[], line: Line): string {
  return `${lines.indexOf(line) + 1} is ${nameOf(line)}`
}

function nameOf({ snapshot }: Line): string {
  return snapshot ? snapshotName(snapshot) : 'product'
}
