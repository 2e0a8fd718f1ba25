import { describe, expect, test } from 'vitest'
import { COUNTRIES } from '#contract/countries.ts'
import { addressFields, asSent, countryCode, ownAddressLines } from '#lib/accounts/address-fields.ts'

const EMPTY = { name: 'Ada', address: '', phone: '', post: '', province: '', city: '', area: '' }

const isStreet = ({ name }: { name: string }) => name === 'address'

describe('the lines of an address', () => {
  test('are those of the country, in its order and words', () => {
    const labels = (country: string) => addressFields(country).map(({ label }) => label)

    expect(labels('Germany')).toEqual(['Address', 'Postal code', 'City'])
    expect(labels('United States')).toEqual(['Address', 'City', 'State', 'ZIP code'])
    expect(labels('Ireland')).toEqual(['Address', 'Townland', 'City', 'County', 'Eircode'])
    expect(labels('United Arab Emirates')).toEqual(['Address', 'Emirate'])
    expect(labels('Singapore')).toEqual(['Address', 'Postal code'])
  })

  test('are all there before a country is chosen', () => {
    expect(addressFields('').map(({ name }) => name)).toEqual(['address', 'area', 'city', 'province', 'post'])
  })

  test('are known for every country, with its ISO code', () => {
    const unknown = COUNTRIES.filter(
      country => !/^[A-Z]{2}$/.test(countryCode(country) ?? '') || !addressFields(country).some(isStreet),
    )
    expect(unknown).toEqual([])
  })
})

describe('an address is sent', () => {
  test('with a dash for lines that the country lacks, and for optional ones that are empty', () => {
    expect(asSent({ ...EMPTY, country: 'Germany', province: 'Bavaria' })).toMatchObject({
      province: '-',
      area: '-',
      city: '',
    })
    expect(asSent({ ...EMPTY, country: 'Ireland' })).toMatchObject({ area: '-', province: '' })
    expect(asSent({ ...EMPTY, country: 'Ireland', area: 'Ballina' })).toMatchObject({ area: 'Ballina' })
  })

  test('without the dash where another country needs the line', () => {
    const saved = { name: 'Ada', postal: '-', province: '-', city: 'Boston', country: 'United States' }
    expect(asSent(saved)).toEqual({ ...saved, postal: '', province: '' })
  })
})

describe('an address is shown', () => {
  const stored = {
    ...EMPTY,
    address: '1 Fountain Square',
    post: '10001',
    city: 'Albany',
    province: 'NY',
    area: 'Midtown',
  }

  test('without values of fields that the country does not have', () => {
    expect(ownAddressLines({ ...stored, country: 'United States' })).toEqual([
      '1 Fountain Square',
      'Albany, NY 10001',
      'United States',
    ])
    expect(ownAddressLines({ ...stored, country: 'Singapore' })).toEqual(['1 Fountain Square', '10001', 'Singapore'])
  })

  test('with optional fields and with all fields of a country without a known format', () => {
    expect(ownAddressLines({ ...stored, country: 'Ireland' })).toContain('Midtown')
    expect(ownAddressLines({ ...stored, country: 'Atlantis' })).toContain('Midtown')
  })

  test('with the place as the country writes it', () => {
    const placeIn = (country: string) => ownAddressLines({ ...stored, area: '-', country })[1]

    expect(placeIn('Germany')).toBe('10001 Albany')
    expect(placeIn('Italy')).toBe('10001 Albany, NY')
    expect(placeIn('Japan')).toBe('10001 NY')
    expect(placeIn('United Kingdom')).toBe('Albany 10001')
    expect(ownAddressLines({ ...stored, city: 'New York', province: 'New York', country: 'United States' })[1]).toBe(
      'New York, New York 10001',
    )
  })

  test('without the dashes of fields that another country lacks', () => {
    const moved = { ...stored, province: '-', area: '-', country: 'Brazil' }
    expect(ownAddressLines(moved)).toEqual(['1 Fountain Square', 'Albany 10001', 'Brazil'])
  })
})
