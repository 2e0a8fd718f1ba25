import { COUNTRY_ZONES } from './country-zones.ts'

/**
 * The country in our list to which this time zone belongs. For zones without a country ('UTC'), the first country in
 * the languages, such as 'en-GB'. Undefined if neither gives one.
 */
export function guessCountry(timeZone: string, languages: readonly string[]): string | undefined {
  const zone = timeZone.split('/').at(-1) ?? ''
  const byZone = Object.entries(COUNTRY_ZONES).find(([, zones]) => zones.split(' ').includes(zone))
  return byZone?.[0] ?? languages.map(countryOf).find(name => name && name in COUNTRY_ZONES)
}

function countryOf(language: string): string | undefined {
  try {
    const { region } = new Intl.Locale(language)
    const name = region && new Intl.DisplayNames('en', { type: 'region' }).of(region)
    // Browsers write some names differently from our list: "Côte d’Ivoire", "Trinidad & Tobago", "Hong Kong SAR China".
    return name?.replace('’', "'").replace('&', 'and').replace(' SAR China', '')
  } catch {
    // Not a language tag.
    return undefined
  }
}
