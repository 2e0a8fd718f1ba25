import { addressLines, isWritten } from '#contract/address-lines.ts'
import type { ShippingForm } from '#contract/orders.ts'
import { NO_FIELD } from '#contract/rules.ts'
import { ADDRESS_FORMATS } from './address-formats.ts'

/** A field of an address that not every country has. The postal code is called `post` here, even in saved addresses. */
export interface AddressField {
  name: 'address' | 'area' | 'city' | 'province' | 'post'
  label: string
  isOptional: boolean
  example?: string | undefined
}

const LABELS = { address: 'Address', area: 'Area', city: 'City', province: 'Province', post: 'Postal code' }

/** Labels for the fields, by the words of `ADDRESS_FORMATS`. */
const NAMES: Record<string, string> = {
  area: 'Area',
  city: 'City',
  county: 'County',
  department: 'Department',
  district: 'District',
  do_si: 'Province',
  eircode: 'Eircode',
  emirate: 'Emirate',
  island: 'Island',
  neighborhood: 'Neighbourhood',
  oblast: 'Oblast',
  parish: 'Parish',
  pin: 'PIN code',
  post_town: 'Town or city',
  prefecture: 'Prefecture',
  province: 'Province',
  state: 'State',
  suburb: 'Suburb',
  townland: 'Townland',
  village_township: 'Village or township',
  zip: 'ZIP code',
}

/** All fields, for a country that is not chosen yet or has no known format. */
const ALL = 'address area city province post'

/** The fields of an address in this country, in the local order and with the local names. */
export function addressFields(country: string): AddressField[] {
  const [, ...fields] = (ADDRESS_FORMATS[country] ?? `?? ${ALL}`).split(' ')
  return fields.map(field => {
    const [, name, called, mark, example] = /^(\w+?)(?:=(\w+))?(\?)?(?::(.+))?$/.exec(field)!
    const key = name as AddressField['name']
    return {
      name: key,
      label: NAMES[called ?? ''] ?? LABELS[key],
      isOptional: mark !== undefined,
      example: example?.replaceAll('_', ' '),
    }
  })
}

/** The ISO code of a country of the contract; undefined before one is chosen. */
export function countryCode(country: string): string | undefined {
  return ADDRESS_FORMATS[country]?.slice(0, 2)
}

/** Loads what formats phone numbers. Offline it is null, and numbers stay as they are. */
export const loadPhone = () => import('./phone.ts').catch(() => null)

/**
 * The address as it is sent: fields that the country does not have, and empty optional ones, become '-'. A '-' in a
 * field that the country requires becomes empty, so that the form asks for it.
 */
export function asSent<Address extends { country: string }>(address: Address): Address {
  const fields = new Map(addressFields(address.country).map(field => [field.name as string, field]))
  const sent = Object.entries(address).map(([name, value]: [string, string]) => {
    const key = name === 'postal' ? 'post' : name
    if (!(key in LABELS)) return [name, value]
    const field = fields.get(key)
    const written = value.trim() === NO_FIELD ? '' : value
    return [name, !field || (field.isOptional && written.trim() === '') ? NO_FIELD : written]
  })
  return Object.fromEntries(sent) as Address
}

/** The fields that share a line. */
const PLACE = ['city', 'province', 'post'] as const

/**
 * The lines of an address for its owner: without fields that the country does not have, whatever is stored in them, and
 * with city, province and postal code in the country's order.
 */
export function ownAddressLines(address: ShippingForm): string[] {
  const sent = asSent(address)
  const names = addressFields(address.country).map(({ name }) => name)
  const place = PLACE.filter(name => isWritten(sent[name])).toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
  // 'Albany, New York 12207', '10115 Berlin'
  const line = place.map((name, at) => separator(name, place[at - 1]) + sent[name]).join('')
  return addressLines({ ...sent, post: '', province: '', city: line })
}

function separator(name: string, before: string | undefined): string {
  if (!before) return ''
  return name === 'province' && before === 'city' ? ', ' : ' '
}
