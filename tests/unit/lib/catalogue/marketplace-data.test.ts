import { expect, test } from 'vitest'
import { marketplaceData } from '#lib/catalogue/marketplace-data.ts'

test('search engines learn how to search the shop', () => {
  const [, site] = marketplaceData({ publicUrl: 'https://shop.example', supportEmail: 'help@shop.example' })
  expect(site).toMatchObject({
    '@type': 'WebSite',
    potentialAction: { target: { urlTemplate: 'https://shop.example/products/search?value={search_term_string}' } },
  })
})
