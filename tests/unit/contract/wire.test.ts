import * as z from 'zod/mini'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getHomeProducts, getSellers, ProductQuery } from '#contract/catalogue.ts'
import { Seller } from '#contract/shops.ts'
import { FILE_EXTENSIONS, MAX_FILE_BYTES, MAX_UPLOAD_BYTES } from '#contract/chat.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { CURRENCIES } from '#contract/currencies.ts'
import { renamed } from '#contract/endpoint.ts'
import { LISTING_SORTS, MAX_PRICE_CENTS } from '#contract/rules.ts'
import { text, Usd } from '#contract/wire.ts'

describe('money', () => {
  test('of every amount is encoded in dollars and decoded to the cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_PRICE_CENTS }), cents => {
        const dollars: unknown = JSON.parse(JSON.stringify(z.encode(Usd, cents)))
        expect(z.decode(Usd, dollars as number)).toBe(cents)
      }),
    )
  })

  test('is never negative', () => {
    expect(z.safeDecode(Usd, -0.01).success).toBe(false)
  })
})

describe('renamed keys', () => {
  const Cart = renamed(
    { card_products: z.array(z.string()), price: Usd, note: z.optional(z.string()) },
    { card_products: 'groups', price: 'priceCents' },
  )

  test('have our names when decoded, and the wire’s when encoded', () => {
    expect(z.decode(Cart, { card_products: ['a'], price: 1.5 })).toEqual({ groups: ['a'], priceCents: 150 })
    expect(z.encode(Cart, { groups: ['a'], priceCents: 150, note: 'n' })).toEqual({
      card_products: ['a'],
      price: 1.5,
      note: 'n',
    })
  })
})

test('a missing renamed field stays missing', () => {
  const Note = renamed({ note: z.optional(z.string()) }, { note: 'text' })

  expect([z.decode(Note, {}), z.encode(Note, {})]).toStrictEqual([{}, {}])
})

describe('a seller', () => {
  test('is verified in two fields on the wire, and in one when decoded', () => {
    const wire = {
      _id: 's',
      image: '',
      shopInfo: { shopName: 'Ada', description: '', verified: true },
      verification: { verified: true },
      productCount: 1,
    }
    const ours = { _id: 's', image: '', shopName: 'Ada', description: '', isVerified: true, productCount: 1 }

    expect(z.decode(Seller, wire)).toEqual(ours)
    expect(z.encode(Seller, ours)).toEqual(wire)
  })
})

describe('side lists', () => {
  test('of any length round-trip', () => {
    const texts = {
      _id: 'p',
      slug: 'p',
      name: 'P',
      category: '',
      brand: '',
      description: '',
      sellerId: 's',
      shopName: 'Ada',
    }
    const one = { ...texts, price: 1, discount: 0, stock: 1, images: [], rating: 0 }
    const groups = [[one, one, one], [one]] as never
    const wire = { products: [], latest_product: groups, topRated_product: [], discount_product: [] }

    const ours = z.decode(getHomeProducts.output, wire)

    expect(ours.latest).toHaveLength(4)
    expect(z.encode(getHomeProducts.output, ours).latest_product.map(group => group.length)).toEqual([3, 1])
  })
})

describe('query parameters', () => {
  const read = (query: Record<string, unknown>) => z.safeDecode(ProductQuery, query)

  test('are decoded to typed values with our names', () => {
    const { data } = read({
      category: ' Toys ',
      rating: '4',
      lowPrice: '1.5',
      sortPrice: 'high-to-low',
      pageNumber: '2',
      other: 'x',
    })

    expect(data).toMatchObject({ category: 'Toys', rating: 4, lowPrice: 1.5, sort: 'high-to-low', page: 2 })
    expect(data).not.toHaveProperty('other')
  })

  test('are undefined when empty', () => {
    expect(read({ category: '', rating: ' ' }).data).toMatchObject({ category: undefined, rating: undefined })
  })

  test('are encoded as text', () => {
    const wire = z.encode(getSellers.input, { verified: true, featured: undefined, page: 3, pageSize: 12 })

    expect(wire).toMatchObject({ verified: 'true', page: '3', parPage: '12' })
    expect(wire.featured).toBeUndefined()
  })

  test.each([
    [{ rating: ['4', '5'] }, 'rating must be a single text'],
    [{ rating: 4 }, 'rating must be a single text'],
    [{ rating: '4.5' }, 'rating must be a whole number from 1 to 5'],
    [{ lowPrice: '-1' }, 'lowPrice must be a number from 0 to 1000000000'],
    [{ sortPrice: 'up' }, `sortPrice must be one of ${LISTING_SORTS.join(', ')}`],
    [{ searchValue: 'x'.repeat(201) }, 'searchValue must be at most 200 characters'],
    [{ category: 'a\0' }, 'category must not contain characters that cannot be stored'],
  ])('give an error for %j', (query, message) => {
    expect(read(query).error?.issues[0]?.message).toBe(message)
  })
})

describe('files in a chat', () => {
  test('have at most 25 MB each and 60 MB together, and a known extension', () => {
    expect([MAX_FILE_BYTES, MAX_UPLOAD_BYTES]).toEqual([26_214_400, 62_914_560])
    expect(FILE_EXTENSIONS.join()).toBe('jpg,jpeg,png,webp,gif,mp4,webm,mov,pdf,doc,docx,txt,zip,rar')
  })
})

describe('text', () => {
  test('is limited to what a database and a page can both hold', () => {
    const Name = text('name', 10)

    expect(z.safeParse(Name, 'José 😀').success).toBe(true)
    for (const wrong of ['a\0b', '\uD83D', 'x'.repeat(11), 5, null, ['a']])
      expect(z.safeParse(Name, wrong).success).toBe(false)
  })
})

describe('the fixed lists', () => {
  test('contain each country once, with its English name', () => {
    const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    const known = letters.flatMap(first => letters.map(second => regions.of(first + second)))
    const spelt = known.map(name => name?.replace('’', "'").replace(' & ', ' and ').replace(' SAR China', ''))

    expect(COUNTRIES.filter(name => !spelt.includes(name))).toEqual([])
    expect(new Set(COUNTRIES).size).toBe(COUNTRIES.length)
    expect(COUNTRIES.length).toBeGreaterThanOrEqual(105)
  })

  test('contain each currency with its English name', () => {
    const names = new Intl.DisplayNames('en-GB', { type: 'currency' })

    expect(CURRENCIES.filter(({ code, name }) => names.of(code)?.toLowerCase() !== name.toLowerCase())).toEqual([])
  })

  test('contain the fifteen currencies, the dollar first', () => {
    expect(CURRENCIES.map(({ code }) => code).join()).toBe(
      'USD,EUR,GBP,NGN,JPY,CAD,AUD,INR,CNY,BRL,ZAR,KES,MXN,RUB,SAR',
    )
  })
})
