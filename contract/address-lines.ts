import type { ShippingForm } from './orders.ts'
import { NO_FIELD } from './rules.ts'

/** The lines of an address as printed on a parcel: without the name, duplicates, and fields that hold '-'. */
export function addressLines({ address, area, city, post, province, country, phone }: ShippingForm): string[] {
  const place = [post, city].filter(isWritten).join(' ')
  return [...new Set([address, area, place, province, country, phone].filter(isWritten))]
}

/** Whether a field of an address has a value: '-' stands for one that the country does not have. */
export function isWritten(value: string): boolean {
  return value !== '' && value !== NO_FIELD
}
