import type { Product } from '#contract/product.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'

interface Props {
  /** Any of a shop's products. */
  product: Pick<Product, 'deliveryDays'> | undefined
  /** '' if unknown. */
  country: string
}

/** When an order that is paid today arrives from a shop; nothing if the shop promises nothing. */
export function Arrival({ product, country }: Props) {
  const { deliveryDays = {} } = product ?? {}
  const days = Object.hasOwn(deliveryDays, country) ? deliveryDays[country] : undefined
  return days && <p className="text-sm text-muted">Arrives {arrivalDates(days)}</p>
}
