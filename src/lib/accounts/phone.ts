import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A phone number in its international form, or null if it does not look like a number. Load this module on demand. */
export function formatPhone(given: string, countryCode: string | undefined): string | null {
  const number = parsePhoneNumberFromString(given, countryCode as CountryCode | undefined)
  return number?.isValid() ? number.formatInternational() : null
}
