import { describe, expect, test } from 'vitest'
import {
  CATEGORIES_QUERY,
  LISTING_QUERY,
  pageQueryOf,
  pageUrl,
  PRODUCT_QUERY,
  readPageQuery,
  STORE_QUERY,
  STORES_QUERY,
} from '#contract/page-urls.ts'
import type { ChosenFilter } from '#contract/filters.ts'
import { pageAddressOf, isVariation } from '#server/page-cache/key.ts'

describe('the address of a page', () => {
  test.each([
    ['/', '/'],
    ['/?utm_source=mail', '/'],
    ['/products?layout=list&category=Toys', '/products?category=Toys&layout=list'],
    ['/products?category=Home%20%26%20Garden', '/products?category=Home+%26+Garden'],
    ['/products?category=&pageNumber=2', '/products?pageNumber=2'],
    ['/products?category=%20Toys%09', '/products?category=Toys'],
    ['/products?category=%C2%A0&pageNumber=+4', '/products?pageNumber=4'],
    [
      '/products/search?sortPrice=low-to-high&category=Toys&x=1',
      '/products/search?category=Toys&sortPrice=low-to-high',
    ],
    ['/stores?pageNumber=2&sort=all&layout=list', '/stores?sort=all&layout=list&pageNumber=2'],
    ['/stores/toy-box/0198?layout=list&category=Toys', '/stores/toy-box/0198?layout=list'],
    ['/stores?brand=Ada&option.size=43', '/stores'],
    ['/product/details/kite?option.size=43&options.size=43', '/product/details/kite'],
    ['/products?option.size=&brand=+', '/products'],
    ['/products?optional.size=43&brands=Ada', '/products'],
    ['/product/details/caf%c3%a9', '/product/details/caf%C3%A9'],
    ['/product/details/%6Bite', '/product/details/kite'],
    ['/dashboard/order/details/0198-1', '/dashboard/order/details/any'],
    ['/dashboard/order/details/0198-2?x=1', '/dashboard/order/details/any'],
    ['/dashboard/order/details/a/b', '/dashboard/order/details/a/b'],
    ['/dashboard/order/receipt/0198-1', '/dashboard/order/receipt/any'],
    ['/dashboard/order/receipt/a/b', '/dashboard/order/receipt/a/b'],
    ['/x/dashboard/order/receipt/a', '/x/dashboard/order/receipt/a'],
    ['/dashboard/order/invoice/0198-1/0198-2', '/dashboard/order/invoice/any/any'],
    ['/dashboard/order/invoice/a/b/c', '/dashboard/order/invoice/a/b/c'],
    ['/x/dashboard/order/invoice/a/b', '/x/dashboard/order/invoice/a/b'],
    ['/dashboard/chat', '/dashboard/chat'],
    ['/dashboard/chat/0198-1', '/dashboard/chat/any'],
    ['/500', '/404'],
    ['/503?x=1', '/404'],
    ['/payment?order=0198', '/payment'],
    ['/shipping?buy=kite&quantity=2', '/shipping'],
    ['/order/confirm?payment_intent_client_secret=x', '/order/confirm'],
    ['/products?pageNumber=999', '/products?pageNumber=999'],
    [`/products?category=${'x'.repeat(100)}`, `/products?category=${'x'.repeat(100)}`],
    ['/products?sortPrice=high-to-low&layout=grid', '/products?sortPrice=high-to-low&layout=grid'],
    ['/products?sortPrice=newest&discount=1', '/products?discount=1&sortPrice=newest'],
    ['/stores?sort=verified', '/stores?sort=verified'],
    ['/stores/toy-box/0198?pageNumber=12', '/stores/toy-box/0198?pageNumber=12'],
    ['/product/details/kite?reviews=2', '/product/details/kite?reviews=2'],
    ['/product/details/kite?x=1&variant=0198&reviews=2', '/product/details/kite?reviews=2&variant=0198'],
    ['/products/toys?layout=list', '/products/toys'],
    ['/x/products?layout=list', '/x/products'],
    ['/stores/toy-box?layout=list', '/stores/toy-box'],
    ['/stores/toy-box/0198/more?layout=list', '/stores/toy-box/0198/more'],
    ['/x/stores/toy-box/0198?layout=list', '/x/stores/toy-box/0198'],
    ['/x/stores?layout=list', '/x/stores'],
    ['/product/details/kite/more?reviews=2', '/product/details/kite/more'],
    ['/x/product/details/kite?reviews=2', '/x/product/details/kite'],
    ['/dashboard/order/details/0198/more', '/dashboard/order/details/0198/more'],
    ['/x/dashboard/order/details/0198', '/x/dashboard/order/details/0198'],
    ['/dashboard/chat/0198/more', '/dashboard/chat/0198/more'],
    ['/x/dashboard/chat/0198', '/x/dashboard/chat/0198'],
    ['/500/more', '/500/more'],
    ['/payment?next=//elsewhere/', '/payment'],
    ['?utm_source=mail', '/'],
    ['/x/500', '/x/500'],
    ['/a.b/..c', '/a.b/..c'],
  ])('%s has the cache key %s', (requested, url) => {
    expect(pageAddressOf(requested)).toEqual({ url, isStorable: true })
  })

  test.each([
    '/product/details/kite?option1=43&button=cart',
    '/products/search?value=kite',
    '/products?lowPrice=10',
    '/products?highPrice=10',
    '/products?brand=Ada',
    '/products?shop=0198',
    '/products?rating=4',
    '/products?discount=25',
    '/products?discount=01',
    '/products?inStock=true',
    '/products?shipsTo=Kenya',
    '/products?option.size=43&option.size=44&option.colour=Blue',
    '/products?option.=43',
    '/stores/toy-box/0198?option.size=43',
    '/stores/toy-box/0198?value=kite',
    '/products?rating=6',
    '/products?sortPrice=upwards',
    '/products?pageNumber=0',
    '/products?pageNumber=1000000000',
    '/products?category=a&category=b',
    '/products?rating=44',
    '/products?rating=x4',
    '/products?layout=lists',
    '/products?layout=xlist',
    '/products?sortPrice=xlow-to-high',
    '/products?sortPrice=low-to-highx',
    '/products?pageNumber=x1',
    '/products?pageNumber=1x',
    '/products?pageNumber=1000',
    '/products?pageNumber=02',
    '/products?rating=04',
    '/stores?sort=alls',
    '/stores?sort=xverified',
    `/products?category=${'x'.repeat(101)}`,
    `/product/details/${'x'.repeat(600)}`,
  ])('%s is not cached', requested => {
    expect(pageAddressOf(requested)).toEqual({ url: requested, isStorable: false })
  })

  test.each([
    ['//', '/'],
    ['/stores/', '/stores'],
    ['//evil.example/x', '/evil.example/x'],
    ['/\\evil.example', '/evil.example'],
    ['\\\\evil.example', '/evil.example'],
    ['/stores//toy-box///0198?layout=list', '/stores/toy-box/0198?layout=list'],
    ['/a/../stores', '/stores'],
    ['/a/%2e%2e/stores?utm_source=mail', '/stores?utm_source=mail'],
    ['/a/./stores', '/a/stores'],
    ['/a/%2E/stores/..', '/a'],
    ['/a/stores/..', '/a'],
    ['stores', '/stores'],
    ['http://evil.example/stores', '/http%3A/evil.example/stores'],
  ])('%s redirects to %s', (requested, redirect) => {
    expect(pageAddressOf(requested)).toMatchObject({ redirect })
  })

  test('is at most 2048 characters long, and cached up to 512', () => {
    const ofLength = (length: number) => pageAddressOf(`/${'x'.repeat(length - 1)}`)

    expect([ofLength(512)?.isStorable, ofLength(513)?.isStorable]).toEqual([true, false])
    expect([ofLength(2048) === null, ofLength(2049) === null]).toEqual([false, true])
  })

  test.each(['/%', '/%ff', '/product/details/%c3', `/${'x'.repeat(2100)}`])('%s is invalid', requested => {
    expect(pageAddressOf(requested)).toBeNull()
  })
})

test.each<[string, Parameters<typeof pageUrl>[1], Record<string, string | number | boolean | ChosenFilter[]>]>([
  [
    '/products/search',
    LISTING_QUERY,
    {
      category: 'Toys',
      search: 'kite',
      rating: 4,
      discount: 25,
      inStock: true,
      shipsTo: 'Kenya',
      lowPrice: 1,
      highPrice: 2.5,
      literal: true,
      filters: [{ name: 'option.size', values: ['43'] }],
      sort: 'low-to-high',
      page: 3,
      layout: 'list',
    },
  ],
  ['/categories', CATEGORIES_QUERY, { page: 2 }],
  ['/stores', STORES_QUERY, { sort: 'verified', layout: 'list', page: 2 }],
  [
    '/stores/toy-box/0198',
    STORE_QUERY,
    { search: 'kite', filters: [{ name: 'brand', values: ['Ada'] }], sort: 'newest', layout: 'list', page: 2 },
  ],
  [
    '/product/details/kite',
    PRODUCT_QUERY,
    {
      reviewPage: 2,
      reviewSort: 'lowest',
      stars: 4,
      variant: '0198',
      option1: '43',
      option2: 'Blue',
      option3: 'Wide',
      button: 'buy',
    },
  ],
])('every query parameter of %s reaches the page', (path, query, values) => {
  expect(Object.keys(values)).toEqual(Object.keys(query))
  expect(pageQueryOf(path)).toBe(query)

  const url = pageUrl(path, query, values)
  expect(url.match(/=/g)).toHaveLength(Object.keys(query).length)
  expect(pageAddressOf(url)?.url).toBe(url)
  expect(readPageQuery(query, new URL(url, 'http://shop').searchParams)).toEqual({ values, isClean: true })
})

test('pages of a category are no variations; their sort orders, layouts and further pages are', () => {
  const plain = ['/', '/products', '/products?category=Toys', '/stores/toy-box/0198']
  const varied = ['/products?pageNumber=2', '/products?category=Toys&layout=list', '/products?subcategory=Toys']

  expect(plain.filter(isVariation)).toEqual([])
  expect(varied.filter(isVariation)).toEqual(varied)
})
