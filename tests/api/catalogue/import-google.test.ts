import { afterAll, describe, expect, test } from 'vitest'
import {
  type Cells,
  exported,
  fixture,
  googleItem as item,
  googleSheet,
  importText,
  stored,
  storedProduct,
} from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const SAMPLE = fixture('google-feed-sample.xml')
const importItems = (items: Cells[], options = {}) =>
  importText(db, googleSheet(...items), { shop: 'Feed', ...options })

describe('the sample feed as XML', () => {
  test('gives a product for each item, with pictures whose addresses are not escaped', async () => {
    const imported = await importText(db, SAMPLE)
    expect(imported).toMatchObject({ added: 5, untracked: 5, problems: [], shops: ['unnamed-shop'] })
    expect(imported.warnings).toEqual([
      "the feed names no shop: its products are those of 'Unnamed shop'; name another with --shop NAME",
      'line 8: the item has no quantity: new variants get 100 in stock, known ones keep theirs; give another number with --stock N',
    ])
    const [first] = (await stored(db)).products
    expect(first).toMatchObject({
      handle: 'AF-714-1',
      name: 'RV AC Filter 7.5"x14" – Replacement for Dometic Duo Therm, MERV 6, 1 Pack by AirFeel',
      brand: 'AirFeel',
      category: 'Other',
      finalCents: 2291,
      description: expect.stringMatching(/^<p>This premium RV AC filter 7.5"x14" is designed/) as string,
      pictures: [{ source: 'https://airfeelfilters.com/cdn/shop/files/1-set1.png?v=1748723738&width=1100' }],
    })
    expect((await storedProduct(db, first?.slug ?? '')).variants).toMatchObject([
      {
        options: [],
        sku: 'AF-714-1',
        barcode: '860013870508',
        stock: 100,
        extra: { 'Google Shopping / Condition': 'new' },
      },
    ])
  })

  test('changes nothing when it is imported again, nor when its export as Shopify’s is', async () => {
    const before = await stored(db)
    expect(await importText(db, SAMPLE)).toMatchObject({ added: 0, changed: 0, unchanged: 5, untracked: 0 })
    const hasPicture = () => Promise.resolve(true)
    const again = await importText(db, await exported(db, 'shopify'), { hasPicture })
    expect(again).toMatchObject({ added: 0, changed: 0, problems: [] })
    expect(await stored(db)).toEqual(before)
  })

  test('gives the same as Atom, and as a table with tabs', async () => {
    const atom = `<?xml version="1.0"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://base.google.com/ns/1.0">
        <title>Kiln</title>
        <entry>
          <id>tag:shop.example,2026:1</id><x:id>kiln-mug</x:id><title>Mug</title>
          <summary>Blue &amp; <![CDATA[<b>round</b>]]></summary><link href="https://shop.example/mug"/>
          <x:price>USD 12</x:price><x:availability>in_stock</x:availability><updated>2026-11-01T00:00:00Z</updated>
          <x:additional_image_link>https://pictures.example/a,1.jpg</x:additional_image_link>
          <x:additional_image_link>https://pictures.example/b.jpg</x:additional_image_link>
        </entry>
      </feed>`
    expect(await importText(db, atom, { shop: 'Kiln', stock: 3 })).toMatchObject({
      added: 1,
      problems: [],
      warnings: [],
    })
    const mug = await storedProduct(db, 'mug')
    expect(mug).toMatchObject({
      finalCents: 1200,
      stock: 3,
      description: 'Blue &amp; <b>round</b>',
      pictures: [{ source: 'https://pictures.example/a,1.jpg' }, { source: 'https://pictures.example/b.jpg' }],
    })
    const table = [
      'Id\tg:title\tDESCRIPTION\tprice\tadditional image link\tavailability\tlink',
      'kiln-mug\tMug\tBlue & <b>round</b>\t12.00 USD\thttps://pictures.example/a,1.jpg,https://pictures.example/b.jpg\tin stock\tx',
    ]
    expect(await importText(db, `\uFEFF${table.join('\r\n')}\r\n`, { shop: 'Kiln', stock: 3 })).toMatchObject({
      unchanged: 1,
      problems: [],
      warnings: [],
    })
  })
})

describe('an item', () => {
  test('is reported with its line when it cannot be used', async () => {
    const { added, problems } = await importItems([
      item('good'),
      item('comma', { price: '19,99 USD' }),
      item('minus', { price: '-5 USD' }),
      item('huge', { price: '99999999 USD' }),
      item('free', { price: '' }),
      item('', { title: 'Nameless' }),
      item('untitled', { title: ' ' }),
      item('foreign', { price: '5 EUR' }),
      item('mixed', { sale_price: '4 GBP' }),
      item('maybe', { availability: 'maybe' }),
      item('dated', { sale_price: '4 USD', sale_price_effective_date: 'soon' }),
      item('heavy', { shipping_weight: 'much' }),
      item('http', { image_link: 'http://pictures.example/a.jpg' }),
    ])
    expect(added).toBe(2)
    expect(problems).toEqual([
      "line 3: price '19,99' is not an amount such as 1299.00",
      "line 4: price '-5' is not an amount such as 1299.00",
      "line 5: price '99999999' is more than 999999.99",
      'line 6: price is missing',
      'line 7: id is missing',
      'line 8: title is missing',
      "line 9: price '5 EUR' is not in USD, as those before it are",
      "line 10: sale_price '4 GBP' is not in USD, as those before it are",
      "line 11: availability 'maybe' is none of in_stock, out_of_stock, preorder, backorder",
      "line 12: sale_price_effective_date 'soon' is not two times such as 2026-11-23T00:00Z/2026-11-30T00:00Z",
      "line 13: shipping_weight 'much' is not a weight such as 1.25",
      "line 14: image_link 'http://pictures.example/a.jpg' is not an https address",
    ])
  })

  test('may have no space between its price and the currency', async () => {
    const prices = ['15.00USD', 'USD15.00', '15.00 usd', '15']
    const items = prices.map((price, at) => item(`tight-${at}`, { price }))
    expect(await importItems(items)).toMatchObject({ added: 4, problems: [] })
    const products = await Promise.all(items.map(({ id }) => storedProduct(db, id)))
    expect(products.map(({ finalCents }) => finalCents)).toEqual([1500, 1500, 1500, 1500])
    await expect(importItems([item('tight-euro', { price: '15.00EUR' })])).rejects.toThrow('the prices are in EUR')
  })

  test('needs a rate for a price in another currency, and none for one in dollars', async () => {
    const euros = [item('euro', { price: '10.00 EUR', sale_price: '8 EUR' }), item('bare', { price: '2' })]
    await expect(importItems(euros)).rejects.toThrow(
      'line 2: the prices are in EUR: say with --rate what one EUR is worth in US dollars',
    )
    expect(await importItems(euros, { rate: 1.1 })).toMatchObject({ added: 2, problems: [] })
    expect(await storedProduct(db, 'euro')).toMatchObject({ finalCents: 880, compareAtCents: 1100 })
    expect(await storedProduct(db, 'bare')).toMatchObject({ finalCents: 220 })
    await expect(importItems([item('dollar')], { rate: 1.1 })).rejects.toThrow(
      'line 2: the prices are in USD: leave --rate out',
    )
  })

  test('is on sale only in the times of its sale price', async () => {
    const sale = (id: string, sale_price_effective_date: string) =>
      item(id, { sale_price: '4 USD', sale_price_effective_date })
    const { warnings } = await importItems(
      [
        sale('sold-past', '2020-01-01T00:00-0800/2020-02-01T00:00-0800'),
        sale('sold-now', '2020-01-01T00:00Z/2999-01-01T00:00Z'),
        sale('sold-always', ''),
      ],
      { stock: 1 },
    )
    const products = await Promise.all(['sold-past', 'sold-now', 'sold-always'].map(slug => storedProduct(db, slug)))
    expect(products.map(({ finalCents, compareAtCents }) => [finalCents, compareAtCents])).toEqual([
      [500, null],
      [400, 500],
      [400, 500],
    ])
    expect(warnings).toEqual([
      'line 2: there are dates of sale prices: the prices of today count until the file is imported again',
    ])
  })

  test('can be bought as its availability and quantity say', async () => {
    const items = [
      item('in', { availability: 'in stock' }),
      item('out', { availability: 'out_of_stock', quantity: '4' }),
      item('back', { availability: 'backorder' }),
      item('pre', { availability: 'preorder', quantity: '2' }),
      item('counted', { quantity: '7' }),
    ]
    const unitsOf = async () => {
      const products = await Promise.all(items.map(({ id }) => storedProduct(db, id)))
      return products.map(({ stock, variants: [variant] }) => [stock, variant?.sellsWithoutStock])
    }
    await importItems(items, { untrackedStock: 30 })
    expect(await unitsOf()).toEqual([
      [30, false],
      [0, false],
      [0, true],
      [2, true],
      [7, false],
    ])
    // Known variants keep their stock, but what was sold out and is in stock again gets some.
    await importItems([items[0]!, item('out'), ...items.slice(2)])
    expect((await unitsOf()).slice(0, 2)).toEqual([
      [30, false],
      [100, false],
    ])
  })

  test('has its other data from the feed', async () => {
    await importItems([
      item('whole', {
        title: 'A  whole item',
        description: '&lt;b>Bold</b> <script>alert(1)</script>',
        product_type: 'Home > Kitchen > Mugs',
        google_product_category: '2169',
        brand: 'Ada',
        shipping_weight: '0.5 kg',
        size: 'L',
        gender: 'unisex',
      }),
    ])
    expect(await storedProduct(db, 'a-whole-item')).toMatchObject({
      name: 'A whole item',
      category: 'Mugs',
      brand: 'Ada',
      description: expect.not.stringContaining('script') as string,
      variants: [
        {
          options: [['Size', 'L']],
          weightGrams: 500,
          extra: { 'Google Shopping / Gender': 'unisex', 'Google Shopping / Google Product Category': '2169' },
        },
      ],
    })
  })

  test('gets warnings for columns that are not used, with the ones that may be meant', async () => {
    const { warnings } = await importItems([item('named', { 'Colour name': 'x', custom_label_0: 'y', brnd: 'z' })], {
      stock: 1,
    })
    expect(warnings).toEqual([
      "the column 'brnd' is not used: if it is 'brand', give it that name and import again",
      "the column 'Colour name' is not used",
    ])
  })

  // Reading it as an amount with a unit would take minutes.
  test.each(['price', 'shipping_weight'])('is reported when its %s is longer than any', async name => {
    const endless = item(`endless-${name}`, { [name]: `1${' '.repeat(500_000)}!` })
    const { added, problems } = await importItems([endless, item(`after-${name}`)], { stock: 1 })
    expect({ added, problems }).toEqual({ added: 1, problems: [`line 2: ${name} is longer than 255 characters`] })
  })
})
