import { describe, expect, test } from 'vitest'
import type { Product } from '#contract/product.ts'
import { type Variant, variantTitle } from '#contract/variants.ts'
import { scriptText } from '#lib/script-text.ts'
import { productData } from '#lib/catalogue/structured-data.ts'

const product: Product = {
  _id: 'p1',
  slug: 'walnut-tray',
  name: 'Walnut tray',
  category: 'Kitchen',
  brand: 'Lund',
  priceCents: 1999,
  discount: 10,
  stock: 3,
  description: '',
  images: [],
  rating: 4.5,
  ratingCount: 12,
  variantCount: 1,
  colourCount: 0,
  sellerId: 's1',
  shopName: 'Ada & Sons',
  isPromoted: false,
  banner: null,
  shippingPrices: {},
  variants: [],
}
const publicUrl = 'https://piazza.example'
const about = (change: Partial<Product> = {}) =>
  productData({ product: { ...product, ...change }, description: 'A tray', images: ['/media/a/1280.webp'], publicUrl })

describe('the structured data of a product', () => {
  test('contains the discounted price, the seller and absolute addresses', () => {
    expect(about()).toMatchObject({
      '@type': 'Product',
      url: 'https://piazza.example/product/details/walnut-tray',
      image: ['https://piazza.example/media/a/1280.webp'],
      aggregateRating: { ratingValue: 4.5, reviewCount: 12 },
      offers: {
        price: '18.99',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        seller: { name: 'Ada & Sons', url: 'https://piazza.example/stores/ada-sons/s1' },
      },
    })
  })

  test('shows when it is out of stock', () => {
    expect(about({ stock: 0 })).toMatchObject({ offers: { availability: 'https://schema.org/OutOfStock' } })
  })

  test('contains its SKU and GTIN, or its id without a SKU', () => {
    expect(about({ sku: 'MUG-1', barcode: '4006381333931' })).toMatchObject({ sku: 'MUG-1', gtin: '4006381333931' })
    expect(about({ barcode: 'none' })).toMatchObject({ sku: 'p1' })
    expect(about({ barcode: 'none' })).not.toHaveProperty('gtin')
  })

  test('contains no rating and no brand when there is none', () => {
    expect(about({ rating: 0, ratingCount: 0, brand: '' })).not.toHaveProperty('aggregateRating')
    expect(about({ rating: 0, ratingCount: 0, brand: '' })).not.toHaveProperty('brand')
  })
})

describe('the structured data of a product with options', () => {
  const variant = (id: string, options: Record<string, string>, more: Partial<Variant> = {}): Variant => ({
    _id: id,
    title: variantTitle(Object.entries(options)),
    options,
    sku: '',
    barcode: '',
    priceCents: 1999,
    discount: 0,
    stock: 1,
    ...more,
  })
  const group = (...variants: Variant[]) => about({ variants }) as { hasVariant: object[]; variesBy: string[] }

  test('is a group of its variants, each with its own offer', () => {
    const small = variant(
      'v1',
      { Size: 'S', Colour: 'Sand' },
      { sku: 'TR-S', image: `/media/${'a'.repeat(64)}/640.webp` },
    )
    const large = variant('v2', { Size: 'L', Colour: 'Sand' }, { stock: 0, discount: 10 })

    const data = group(small, large)

    expect(data).toMatchObject({
      '@type': 'ProductGroup',
      productGroupID: 'p1',
      variesBy: ['https://schema.org/size', 'https://schema.org/color'],
      hasVariant: [
        {
          '@type': 'Product',
          name: 'Walnut tray (Size S, Sand)',
          sku: 'TR-S',
          size: 'S',
          color: 'Sand',
          image: `https://piazza.example/media/${'a'.repeat(64)}/1280.webp`,
          offers: {
            url: 'https://piazza.example/product/details/walnut-tray?variant=v1',
            price: '19.99',
            availability: 'https://schema.org/InStock',
          },
        },
        { sku: 'v2', offers: { price: '18.99', availability: 'https://schema.org/OutOfStock' } },
      ],
    })
    expect(data).not.toHaveProperty('offers')
    expect(data).not.toHaveProperty('sku')
  })

  test('lists no more than the first hundred variants', () => {
    const sizes = Array.from({ length: 2048 }, (_, at) => variant(`v${at}`, { Size: `${at}` }))

    const { hasVariant } = group(...sizes)

    expect(hasVariant).toHaveLength(100)
    expect(hasVariant.at(-1)).toMatchObject({ size: '99' })
  })

  test('names an option that schema.org has no property for', () => {
    expect(group(variant('v1', { Waist: '32' }))).toMatchObject({
      variesBy: ['Waist'],
      hasVariant: [{ additionalProperty: [{ '@type': 'PropertyValue', name: 'Waist', value: '32' }] }],
    })
  })

  test.each([
    ['4006381333931', true],
    ['036000291452', true],
    ['96385074', true],
    ['10614141000415', true],
    ['4006381333932', false],
    ['400638133393', false],
    ['SHOE-43', false],
    ['', false],
  ])('has the barcode %j as GTIN: %s', (barcode, isOne) => {
    const [data] = group(variant('v1', { Size: 'S' }, { barcode })).hasVariant

    expect('gtin' in data!).toBe(isOne)
  })
})

describe('the text of a data script', () => {
  test('cannot end its element or open a comment', () => {
    const name = '</script><script>alert(1)</script><!-- <script'

    expect(scriptText({ name })).not.toContain('<')
    expect(JSON.parse(scriptText({ name }))).toEqual({ name })
  })
})
