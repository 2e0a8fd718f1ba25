import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dropForeignIntent } from '#lib/accounts/foreign-intent.ts'
import { type Intent, peekIntent, resumeIntent, storeIntent, takeIntent } from '#lib/accounts/intent.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const INTENT: Intent = { kind: 'addToCart', productId: 'p1', quantity: 2 }
const at = (path: string) => new URL(path, 'https://shop.example')
let storage: Map<string, string>

beforeEach(() => {
  storage = stubStorage('sessionStorage')
  vi.stubGlobal('scrollY', 240)
})
afterEach(() => vi.unstubAllGlobals())

describe('a click that waits for the login', () => {
  test.each<Intent>([
    INTENT,
    { kind: 'addToWishlist', productId: 'p1' },
    { kind: 'changeQuantity', lineId: 'l1', by: -2 },
    { kind: 'setQuantity', lineId: 'l1', quantity: 7 },
    { kind: 'voteReview', reviewId: 'r1' },
  ])('is carried out on the page where it was made: %j', intent => {
    storeIntent(intent, '/products?category=Toys#top')

    expect(takeIntent(at('/products?category=Toys'), true)).toEqual({
      intent,
      page: '/products?category=Toys#top',
      top: 240,
    })
  })

  test('is carried out once', () => {
    storeIntent(INTENT, '/cart')
    takeIntent(at('/cart'), true)

    expect(takeIntent(at('/cart'), true)).toBeNull()
  })

  test('waits while the visitor is on the login and register pages', () => {
    storeIntent(INTENT, '/products')

    for (const path of ['/login?next=/products', '/register', '/login']) expect(takeIntent(at(path), false)).toBeNull()
    expect(takeIntent(at('/products'), true)).toMatchObject({ intent: INTENT })
  })

  test.each(['/', '/products?category=Toys', '/product/details/kite'])(
    'is dropped when the customer comes to %s',
    path => {
      storeIntent(INTENT, '/products')

      expect(takeIntent(at(path), true)).toBeNull()
      expect(takeIntent(at('/products'), true)).toBeNull()
    },
  )

  test('is dropped when the visitor comes back without a login', () => {
    storeIntent(INTENT, '/products')

    expect(takeIntent(at('/products'), false)).toBeNull()
    expect(takeIntent(at('/products'), true)).toBeNull()
  })

  test('is replaced by a later click', () => {
    storeIntent(INTENT, '/products')
    storeIntent({ kind: 'addToWishlist', productId: 'p2' }, '/products')

    expect(takeIntent(at('/products'), true)).toMatchObject({ intent: { kind: 'addToWishlist', productId: 'p2' } })
  })
})

describe('the click of a customer whose session has ended', () => {
  test.each([
    ['ada', INTENT],
    ['grace', null],
  ])('with %s signed in is %j', (customerId, kept) => {
    storeIntent(INTENT, '/products', 'ada')

    dropForeignIntent(customerId)

    expect(peekIntent('/products')).toEqual(kept)
  })

  test('that fails when it is carried out waits for the same customer only', async () => {
    vi.stubGlobal('location', at('/products'))
    vi.stubGlobal('scrollTo', vi.fn())
    stubStorage('localStorage').set('customerToken', 'of ada')
    storeIntent(INTENT, '/products', 'ada')
    const failing = resumeIntent(() => Promise.reject(new Error('no network')))
    await expect(failing).rejects.toThrow('no network')
    expect(peekIntent('/products')).toEqual(INTENT)

    dropForeignIntent('grace')

    expect(peekIntent('/products')).toBeNull()
  })

  test('is told apart from a visitor’s, which anybody may be', () => {
    storeIntent(INTENT, '/products')

    dropForeignIntent('grace')

    expect(peekIntent('/products')).toEqual(INTENT)
  })
})

test.each([
  'null',
  'nonsense',
  '{"page":"/","intent":{"kind":"logout","productId":"p"}}',
  '{"page":"/","intent":{"kind":"addToCart","productId":"p","quantity":"2"}}',
  '{"page":"/","intent":{"kind":"addToWishlist","productId":5}}',
  '{"page":"/","intent":{"kind":"voteReview","productId":"p"}}',
  '{"intent":null}',
])('an invalid stored click is ignored: %s', text => {
  storage.set('intent', text)

  expect(takeIntent(at('/'), true)).toBeNull()
})

test('without storage, the click is lost and nothing throws', () => {
  stubStorage('sessionStorage', { isForbidden: true })

  storeIntent(INTENT, '/')
  expect(takeIntent(at('/'), true)).toBeNull()
})
