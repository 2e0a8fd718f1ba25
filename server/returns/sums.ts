import { sumBy } from '../platform/sum.ts'

/** A line of a seller's part as it was paid. */
export interface PaidLine {
  id: string
  quantity: number
  unitCents: number
  /** For the whole line. */
  shippingCents: number
}

/** Units by the id of their line. */
export type LineUnits = ReadonlyMap<string, number>

/**
 * The refund for `units` of a seller's part, in cents: the prices paid for them and, with the last unit of the part,
 * its shipping if `isShippingRefunded`. `gone` are the units that were refunded before.
 */
export function refundOf(
  lines: readonly PaidLine[],
  units: LineUnits,
  { gone, isShippingRefunded }: { gone: LineUnits; isShippingRefunded: boolean },
): number {
  const itemsCents = sumBy(lines, ({ id, unitCents }) => (units.get(id) ?? 0) * unitCents)
  const isAllGone = lines.every(({ id, quantity }) => (units.get(id) ?? 0) + (gone.get(id) ?? 0) === quantity)
  return isAllGone && isShippingRefunded ? itemsCents + sumBy(lines, ({ shippingCents }) => shippingCents) : itemsCents
}
