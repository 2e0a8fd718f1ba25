/** A line of a seller's part as it was paid. */
interface PaidLine {
  id: string
  quantity: number
  unitCents: number
}

/** Units by the id of their line. */
export type LineUnits = ReadonlyMap<string, number>

/**
 * The refund for `units` of a seller's part, in cents: the prices paid for them and, with the last unit of the part,
 * `shippingCents`. `gone` are the units that were refunded before.
 */
export function refundOf(
  lines: readonly PaidLine[],
  units: LineUnits,
  { gone, shippingCents }: { gone?: LineUnits; shippingCents: number },
): { itemsCents: number; shippingCents: number } {
  const isAllGone = lines.every(({ id, quantity }) => (units.get(id) ?? 0) + (gone?.get(id) ?? 0) === quantity)
  return {
    itemsCents: lines.reduce((sum, { id, unitCents }) => sum + (units.get(id) ?? 0) * unitCents, 0),
    shippingCents: isAllGone ? shippingCents : 0,
  }
}
