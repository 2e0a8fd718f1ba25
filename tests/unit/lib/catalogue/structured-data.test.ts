import { describe, expect, test } from 'vitest'
import type { Product } from '#contract/catalog.ts'
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

  test('contains no rating and no brand when there is none', () => {
    expect(about({ rating: 0, ratingCount: 0, brand: '' })).not.toHaveProperty('aggregateRating')
    expect(about({ rating: 0, ratingCount: 0, brand: '' })).not.toHaveProperty('brand')
  })
})

describe('the text of a data script', () => {
  test('cannot end its element or open a comment', () => {
    const name = '</script><script>alert(1)</script><!-- <script'

    expect(scriptText({ name })).not.toContain('<')
    expect(JSON.parse(scriptText({ name }))).toEqual({ name })
  })
})
