import { expect, test } from 'vitest'
import { marketplaceData } from '#lib/catalogue/marketplace-data.ts'

test('structured data tells search engines how to search the shop', () => {
  const [, site] = marketplaceData({ publicUrl: 'https://shop.example', supportEmail: 'help@shop.example' })
  expect(site).toMatchObject({
    '@type': 'WebSite',
    potentialAction: { target: { urlTemplate: 'https://shop.example/products/search?value={search_term_string}' } },
  })
})
