import { expect, test } from 'vitest'
import { COUNTRIES } from '#contract/countries.ts'
import { COUNTRY_ZONES } from '#lib/country-zones.ts'
import { guessCountry } from '#lib/guess-country.ts'

test.each([
  ['Africa/Nairobi', ['en-US', 'en'], 'Kenya'],
  ['America/Argentina/Ushuaia', ['es'], 'Argentina'],
  // Two names of one zone.
  ['Asia/Calcutta', [], 'India'],
  ['Asia/Kolkata', [], 'India'],
  // Zones of no country of the list.
  ['UTC', ['sw', 'en-GB', 'en-US'], 'United Kingdom'],
  ['Asia/Pyongyang', ['ko-KR'], 'South Korea'],
  ['UTC', ['fr-CI'], "Côte d'Ivoire"],
  ['UTC', ['zh-HK'], 'Hong Kong'],
  ['UTC', ['en-TT'], 'Trinidad and Tobago'],
  ['UTC', ['ko-KP', 'de', 'not a language'], undefined],
  ['', [], undefined],
])('a browser in %s that speaks %j is guessed to be in %s', (zone, languages, country) => {
  expect(guessCountry(zone, languages)).toBe(country)
})

test('every country has zones, and no zone has two', () => {
  const zones = Object.values(COUNTRY_ZONES).flatMap(each => each.split(' '))

  expect(Object.keys(COUNTRY_ZONES)).toEqual([...COUNTRIES])
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).not.toContain('')
})
