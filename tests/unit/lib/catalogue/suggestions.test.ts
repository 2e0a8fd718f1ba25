import { describe, expect, test } from 'vitest'
import { LISTING_QUERY, pageUrl, productPath, shopPath } from '#contract/page-urls.ts'
import { shopSlug } from '#contract/rules.ts'
import {
  categoryAddress,
  countText,
  isEnough,
  markWords,
  productAddress,
  searchAddress,
  shopAddress,
} from '#lib/catalogue/suggestions.ts'

const marked = (text: string, typed: string) =>
  markWords(text, typed)
    .map(part => (part.isMarked ? `[${part.text}]` : part.text))
    .join('')

describe('what was typed', () => {
  test.each([
    ['Blue headphones', 'head', 'Blue [head]phones'],
    ['Blue headphones', 'HEAD bl', '[Bl]ue [head]phones'],
    ['Tea teapot', 'tea teapot', '[Tea] [teapot]'],
    ['Deadhead', 'head', 'Deadhead'],
    ['Красный Чайник', 'чай', 'Красный [Чай]ник'],
    ['Café éclair', 'é', 'Café [é]clair'],
    ['100% (wool)', '100% (w', '[100]% ([w]ool)'],
    ['a.b*c', '.*', 'a.b*c'],
    ['', 'a', ''],
  ])('is marked in %j for %j', (text, typed, expected) => {
    expect(marked(text, typed)).toBe(expected)
  })

  test('gets suggestions from two letters on', () => {
    expect(['', 'a', ' a ', '%_', "a'"].map(isEnough)).toEqual([false, false, false, false, false])
    expect(['ab', 'a b', 'й ё', '茶壶'].map(isEnough)).toEqual([true, true, true, true])
  })
})

test('suggestions lead to the addresses of the contract', () => {
  const shop = { shopName: 'Pots & Pans', sellerId: 'a b' }

  expect(productAddress('très/bon')).toBe(productPath({ slug: 'très/bon' }))
  expect(shopAddress({ ...shop, slug: shopSlug(shop.shopName) })).toBe(shopPath(shop))
  expect(categoryAddress('Home & Garden')).toBe(pageUrl('/products', LISTING_QUERY, { category: 'Home & Garden' }))
  expect(searchAddress('tea & pot')).toBe(pageUrl('/products/search', LISTING_QUERY, { search: 'tea & pot' }))
})

test('a screen reader announces how many suggestions there are', () => {
  const counts = (products: number, shops: number) =>
    countText([
      [products, 'product', 'products'],
      [shops, 'shop', 'shops'],
    ])

  expect(counts(6, 1)).toBe('6 products, 1 shop. Use the arrow keys to choose.')
  expect(counts(1, 0)).toBe('1 product. Use the arrow keys to choose.')
  expect(counts(0, 0)).toBe('No suggestions')
})
