import { describe, expect, test } from 'vitest'
import { type BuyBoxVariant, packVariants, unpackVariants } from '#lib/catalogue/packed-variants.ts'

const variant = (_id: string, options: Record<string, string>, more: Partial<BuyBoxVariant> = {}): BuyBoxVariant => ({
  _id,
  options,
  priceCents: 1999,
  discount: 10,
  stock: 3,
  ...more,
})

describe('the variants that a product’s page holds', () => {
  test('are the same once unpacked', () => {
    const variants = [
      variant('v1', { Size: 'S', Colour: '"Sand" \u2028</script>' }, { image: '/media/a/640.webp' }),
      variant('v2', { Size: 'L', Colour: 'Sea' }, { stock: 0, discount: 0 }),
    ]

    expect(unpackVariants(packVariants(variants))).toEqual(variants)
  })

  test('of another provider may lack an option that others have', () => {
    const variants = [variant('v1', { Size: 'S' }), variant('v2', { Colour: 'Sea' })]

    expect(unpackVariants(packVariants(variants))).toEqual(variants)
  })

  test('keep their options in the seller’s order', () => {
    const [first] = unpackVariants(packVariants([variant('v1', { Size: 'S', Colour: 'Sea', Fit: 'Wide' })]))

    expect(Object.keys(first!.options)).toEqual(['Size', 'Colour', 'Fit'])
  })

  test('take less than 100 bytes each in a product with thousands of them', () => {
    const id = (at: number) => `0199f0a2-0000-7000-8000-${String(at).padStart(12, '0')}`
    const variants = Array.from({ length: 2048 }, (_, at) => variant(id(at), { Size: `Size ${at}`, Colour: 'Sand' }))

    expect(packVariants(variants).length / variants.length).toBeLessThan(100)
  })
})
