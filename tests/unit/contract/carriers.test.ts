import { expect, test } from 'vitest'
import { carrierName, trackingUrl } from '#contract/parcels.ts'

test('a known carrier is found in any spelling, and others keep theirs', () => {
  expect(carrierName('dhl')).toBe('DHL')
  expect(carrierName('fed ex')).toBe('FedEx')
  expect(carrierName('royal-mail')).toBe('Royal Mail')
  expect(carrierName('Bike of Wanjiku')).toBe('Bike of Wanjiku')
})

test('only a known carrier has a tracking link, and a number cannot leave its page', () => {
  expect(trackingUrl('UPS', '1Z 9/9')).toBe('https://www.ups.com/track?tracknum=1Z%209%2F9')
  expect(trackingUrl('DHL', '1&next=https://evil.test')).toContain('tracking-id=1%26next%3Dhttps%3A%2F%2Fevil.test')
  expect(trackingUrl('Bike of Wanjiku', '12')).toBeUndefined()
  expect(trackingUrl('DHL', null)).toBeUndefined()
  expect(trackingUrl(null, '12')).toBeUndefined()
})
