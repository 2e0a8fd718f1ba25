import { expect, test } from 'vitest'
import { ownBrand } from '#lib/catalogue/brand.ts'

test('a brand is shown unless it is the shop’s name', () => {
  expect(ownBrand({ brand: 'Cacao Quilla', shopName: 'Mercato Verde' })).toBe('Cacao Quilla')
  expect(ownBrand({ brand: 'Tonehaus', shopName: 'Tonehaus' })).toBe('')
  expect(ownBrand({ brand: '', shopName: 'Tonehaus' })).toBe('')
})
