import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A phone number in its international form, or null if it does not look like a number. Load this module on demand. */
export function formatPhone(typed: string, countryCode: string | undefined): string | null {
  const number = parsePhoneNumberFromString(typed, countryCode as CountryCode | undefined)
  return number?.isValid() ? number.formatInternational() : null
}
