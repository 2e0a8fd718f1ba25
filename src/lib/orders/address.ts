import type { ShippingForm } from '#contract/orders.ts'

/** An address as it is written on a parcel, below the name. */
export function addressLines({ address, area, city, post, province, country, phone }: ShippingForm): string[] {
  const written = [address, area, [post, city].filter(Boolean).join(' '), province, country, phone]
  return [...new Set(written.filter(Boolean))]
}
