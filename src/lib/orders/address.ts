import type { ShippingForm } from '#contract/orders.ts'

/** The lines of an address as on a parcel, without the name and without duplicates. */
export function addressLines({ address, area, city, post, province, country, phone }: ShippingForm): string[] {
  const written = [address, area, [post, city].filter(Boolean).join(' '), province, country, phone]
  return [...new Set(written.filter(Boolean))]
}
