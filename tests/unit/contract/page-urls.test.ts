import { describe, expect, test } from 'vitest'
import { isShopPath } from '#contract/notifications.ts'
import {
  chatPath,
  orderPath,
  pageUrl,
  paymentPath,
  PRODUCT_QUERY,
  productPath,
  readPageQuery,
  resultPath,
  shopPath,
  STORES_QUERY,
} from '#contract/page-urls.ts'

test.each([
  [shopPath({ shopName: "Ada's Crêpes", sellerId: 's1' }), '/stores/ada-s-crepes/s1'],
  [shopPath({ shopName: '東京 堂', sellerId: 's1' }), '/stores/%E6%9D%B1%E4%BA%AC-%E5%A0%82/s1'],
  [productPath({ slug: 'ваза?' }), '/product/details/%D0%B2%D0%B0%D0%B7%D0%B0%3F'],
  [orderPath('a/b c'), '/dashboard/order/details/a%2Fb%20c'],
  [paymentPath('a&b'), '/payment?order=a%26b'],
  [resultPath('a+b='), '/order/confirm?payment_intent_client_secret=a%2Bb%3D'],
  [resultPath(), '/order/confirm'],
  [chatPath('a/b'), '/dashboard/chat/a%2Fb'],
  [chatPath(), '/dashboard/chat'],
])('%s is the path of its page, and is safe in a header', (path, address) => {
  expect(path).toBe(address)
})

test.each([
  ['/products?page=2#top', true],
  ['/', true],
  ['/product/details/a%2F%2Fb', true],
  ['products', false],
  ['', false],
  ['https://elsewhere.example/', false],
  ['x/products', false],
  ['//elsewhere.example', false],
  ['/\\elsewhere.example', false],
  ['/a\\b', false],
  ['/\t/elsewhere.example', false],
  ['/products\n', false],
  ['/.//elsewhere.example', false],
  ['/..//elsewhere.example', false],
  ['//', false],
])('the link %j stays in the shop: %s', (link, isOurs) => {
  expect(isShopPath(link)).toBe(isOurs)
})

describe('the query of the stores page', () => {
  const read = (query: string) => readPageQuery(STORES_QUERY, new URLSearchParams(query))

  test('defaults to all stores in a grid on the first page', () => {
    const values = { sort: 'all', layout: 'grid', page: 1 }
    expect(read('')).toEqual({ values, isClean: true })
    expect(read('sort=&layout=&pageNumber=&utm_source=mail')).toEqual({ values, isClean: true })
    expect(pageUrl('/stores', STORES_QUERY, read('').values)).toBe('/stores')
  })

  test.each([
    'sort=best',
    'layout=table',
    'pageNumber=0',
    'pageNumber=x',
    'pageNumber=-1',
    'sort=all&sort=verified',
    'sort=%00',
  ])('is not clean with %s', query => {
    expect(read(query).isClean).toBe(false)
  })
})

test.each(['reviews=0', 'reviews=-1', 'reviews=two', 'reviews=1.5', 'reviews=1&reviews=2', 'reviews=%00'])(
  '%s is not a valid page of reviews',
  query => expect(readPageQuery(PRODUCT_QUERY, new URLSearchParams(query)).isClean).toBe(false),
)
