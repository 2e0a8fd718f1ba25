import { afterAll, describe, expect, test } from 'vitest'
import {
  googleItem,
  googleSheet,
  importText,
  sheet,
  storedProduct,
  wooSheet,
} from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

describe('a known product keeps what a later file does not say', () => {
  const WHOLE = sheet(
    'Handle,Title,Vendor,Type,Tags,Body (HTML),Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Price,Variant Inventory Qty,Image Src,Variant Image',
    'tee,Tee,Looms,Clothing,soft,<p>Warm</p>,false,Size,S,TEE-S,120,20,3,https://pictures.example/a.jpg,https://pictures.example/s.jpg',
    'tee,,,,,,,,M,TEE-M,130,20,4,,',
  )

  test('if a price list of Shopify’s names its sizes', async () => {
    await importText(db, WHOLE)
    const before = await storedProduct(db, 'tee')

    const prices = sheet(
      'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price',
      'tee,Tee,Looms,Size,S,25',
      'tee,,,,M,26',
    )
    expect(await importText(db, prices)).toMatchObject({ changed: 1, problems: [], untracked: 0 })

    const { variants, ...product } = await storedProduct(db, 'tee')
    expect(product).toMatchObject({
      category: 'Clothing',
      tags: ['soft'],
      description: '<p>Warm</p>',
      isHidden: true,
      pictures: before.pictures,
    })
    expect(variants.map(({ priceCents }) => priceCents)).toEqual([2500, 2600])
    const facts = ({ sku, weightGrams, stock, picture }: (typeof variants)[number]) => ({
      sku,
      weightGrams,
      stock,
      picture,
    })
    expect(variants.map(facts)).toEqual(before.variants.map(facts))
  })

  test('with all its sizes, if the file names none of them', async () => {
    const before = await storedProduct(db, 'tee')

    for (const file of [
      sheet('Handle,Title,Vendor,Variant Price', 'tee,Tee,Looms,9'),
      JSON.stringify([{ shop: 'Looms', handle: 'tee', name: 'Tee', price: 9 }]),
    ]) {
      const { problems } = await importText(db, file)
      const reason = 'tee has 2 variants, which stay as they are: the file does not name their options'
      expect(problems).toEqual([expect.stringContaining(reason)])
    }

    expect(await storedProduct(db, 'tee')).toMatchObject({ variants: before.variants, pictures: before.pictures })
  })

  test('if a price list of WooCommerce’s has no categories, texts and pictures', async () => {
    const row = { Type: 'simple', SKU: 'mug', Name: 'Mug', 'Regular price': '5', Stock: '3' }
    const options = { shop: 'Kiln' }
    await importText(
      db,
      wooSheet({
        ...row,
        Categories: 'Cups',
        Tags: 'red',
        Description: 'Round',
        Images: 'https://pictures.example/m.jpg',
      }),
      options,
    )
    await importText(db, sheet('Type,SKU,Name,Regular price', 'simple,mug,Mug,6'), options)

    expect(await storedProduct(db, 'mug')).toMatchObject({
      priceCents: 600,
      category: 'Cups',
      tags: ['red'],
      description: '<p>Round</p>',
      pictures: [{ source: 'https://pictures.example/m.jpg' }],
      stock: 3,
    })
  })
})

describe('a list of stocks does not say which products sell without stock', () => {
  const unitsOf = async (slug: string) =>
    (await storedProduct(db, slug)).variants.map(({ stock, sellsWithoutStock }) => [stock, sellsWithoutStock])

  test('if it is Shopify’s and has no policy', async () => {
    const columns = 'Handle,Title,Vendor,Variant Price,Variant Inventory Tracker,Variant Inventory Qty'
    await importText(
      db,
      sheet(`${columns},Variant Inventory Policy`, 'made,Made,A,5,shopify,-2,continue', 'kept,Kept,A,5,shopify,2,deny'),
    )

    await importText(db, sheet(columns, 'made,Made,A,5,shopify,-3', 'kept,Kept,A,5,shopify,-3'))
    expect(await Promise.all(['made', 'kept'].map(unitsOf))).toEqual([[[-3, true]], [[0, false]]])

    await importText(db, sheet(`${columns},Variant Inventory Policy`, 'made,Made,A,5,shopify,-3,deny'))
    expect(await unitsOf('made')).toEqual([[0, false]])
  })

  test('if it is WooCommerce’s and has no column for backorders', async () => {
    const row = { Type: 'simple', SKU: 'bench', Name: 'Bench', 'Regular price': '5', Stock: '-1' }
    await importText(
      db,
      wooSheet({ ...row, 'Backorders allowed?': '1' }, { ...row, SKU: 'stool', Name: 'Stool', Stock: '1' }),
      {
        shop: 'Wood',
      },
    )

    await importText(db, wooSheet({ ...row, Stock: '-4' }, { ...row, SKU: 'stool', Name: 'Stool', Stock: '-4' }), {
      shop: 'Wood',
    })
    expect(await Promise.all(['bench', 'stool'].map(unitsOf))).toEqual([[[-4, true]], [[0, false]]])
  })

  test('if WooCommerce’s says only what is in stock: known products keep their units', async () => {
    const shop = 'Glass'
    const row = (SKU: string, Stock: string) => ({
      Type: 'simple',
      SKU,
      Name: SKU,
      Stock,
      'Regular price': '5',
      'Backorders allowed?': '0',
      'In stock?': '1',
    })
    await importText(db, wooSheet(row('vase', '3'), row('bowl', '3'), row('jug', '')), { shop })

    const list = sheet(
      'Type,SKU,Name,In stock?,Regular price',
      'simple,vase,vase,1,6',
      'simple,bowl,bowl,0,6',
      'simple,jug,jug,1,6',
      'simple,cup,cup,1,6',
    )
    expect(await importText(db, list, { shop })).toMatchObject({
      changed: 3,
      added: 1,
      untracked: 1,
      warnings: [expect.stringMatching(/^the file has no column 'Stock': new variants get 100 in stock/)],
    })

    expect(await Promise.all(['vase', 'bowl', 'jug', 'cup'].map(unitsOf))).toEqual([
      [[3, false]],
      [[0, false]],
      [[0, true]],
      [[100, false]],
    ])
  })

  test('if it is a feed of Google’s without availability', async () => {
    await importText(db, googleSheet(googleItem('lamp', { availability: 'backorder' })), { shop: 'Light' })
    await importText(db, googleSheet({ id: 'lamp', title: 'lamp', price: '5 USD', quantity: '2' }), { shop: 'Light' })
    expect(await unitsOf('lamp')).toEqual([[2, true]])
  })

  test('if it is our JSON, nor how many there are of a variant without stock', async () => {
    const list = (second: object) =>
      JSON.stringify([
        {
          shop: 'Rings',
          handle: 'ring',
          name: 'Ring',
          price: 5,
          variants: [
            { options: [['Size', 'S']], price: 5, stock: 2 },
            { options: [['Size', 'M']], price: 5, ...second },
          ],
        },
      ])
    await importText(db, list({ stock: 3, sellsWithoutStock: true }))

    expect(await importText(db, list({}))).toMatchObject({
      unchanged: 1,
      warnings: [expect.stringContaining('known ones keep theirs')],
    })
    expect(await unitsOf('ring')).toEqual([
      [2, false],
      [3, true],
    ])
  })
})

test('the sizes of a product stay the same ones when other products stand between their rows', async () => {
  const columns = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty'
  const between = Array.from({ length: 4 }, (_, at) => `between-${at},${'B'.repeat(500_000)},Apart,,,5,1`)
  const text = sheet(columns, 'apart,Apart,Apart,Size,S,5,1', ...between, 'apart,,,,M,6,0')
  const idsOf = async () => (await storedProduct(db, 'apart')).variants.map(({ id }) => id)
  await importText(db, text)
  const before = await idsOf()

  expect(await importText(db, text)).toMatchObject({ changed: 0, unchanged: 1 })

  expect(before).toHaveLength(2)
  expect(await idsOf()).toEqual(before)
})

describe('a known variant keeps', () => {
  test('the other columns of Shopify’s that the file lacks, and loses those that it empties', async () => {
    const columns = 'Handle,Title,Vendor,Variant Price,Variant Inventory Qty'
    const extraOf = async () => (await storedProduct(db, 'beaker')).variants[0]?.extra
    await importText(db, sheet(`${columns},Cost per item,Variant Tax Code`, 'beaker,Beaker,Cups,5,1,2.50,TX1'))

    await importText(db, sheet(`${columns},SEO Title`, 'beaker,Beaker,Cups,6,1,Nice'))
    expect(await extraOf()).toEqual({ 'Cost per item': '2.50', 'Variant Tax Code': 'TX1', 'SEO Title': 'Nice' })

    await importText(db, sheet(`${columns},Cost per item`, 'beaker,Beaker,Cups,6,1,'))
    expect(await extraOf()).toEqual({ 'Variant Tax Code': 'TX1', 'SEO Title': 'Nice' })

    const record = { shop: 'Cups', handle: 'beaker', name: 'Beaker', price: 6 }
    await importText(db, JSON.stringify([{ ...record, variants: [{ options: [], price: 6, stock: 1, extra: {} }] }]))
    expect(await extraOf()).toEqual({})
  })

  test('the attributes of Google’s that its item lacks', async () => {
    await importText(db, googleSheet(googleItem('g-cup', { mpn: 'M1', gender: 'male' })), { shop: 'Cups' })
    await importText(db, googleSheet(googleItem('g-cup', { gender: 'female' })), { shop: 'Cups' })
    expect((await storedProduct(db, 'g-cup')).variants[0]?.extra).toEqual({
      'Google Shopping / MPN': 'M1',
      'Google Shopping / Gender': 'female',
    })
  })

  test('its SKU if a file of WooCommerce’s has no column for it', async () => {
    const parent = {
      ID: '5',
      Type: 'variable',
      Name: 'Rope',
      'Attribute 1 name': 'Length',
      'Attribute 1 value(s)': '5, 9',
    }
    const variation = { ID: '6', Type: 'variation', SKU: 'R5', Parent: 'id:5', Stock: '1', 'Regular price': '4' }
    const choice = { 'Attribute 1 name': 'Length', 'Attribute 1 value(s)': '5' }
    await importText(db, wooSheet(parent, { ...variation, ...choice }), { shop: 'Ropes' })

    const columns = 'ID,Type,Name,Parent,Stock,Regular price,Attribute 1 name,Attribute 1 value(s)'
    const list = sheet(columns, '5,variable,Rope,,,,Length,5', '6,variation,,id:5,2,4,Length,5')
    await importText(db, list, { shop: 'Ropes' })

    expect((await storedProduct(db, 'rope')).variants).toMatchObject([{ sku: 'R5', stock: 2 }])
  })
})

test('a known picture keeps its alternative text if the file has no column for it', async () => {
  const columns = 'Handle,Title,Vendor,Variant Price,Variant Inventory Qty,Image Src'
  const row = 'pot,Pot,Pots,5,1,https://pictures.example/pot.jpg'
  const picturesOf = async () => (await storedProduct(db, 'pot')).pictures
  await importText(db, sheet(`${columns},Image Alt Text`, `${row},A red pot`))

  expect(await importText(db, sheet(columns, row))).toMatchObject({ unchanged: 1 })
  expect(await picturesOf()).toMatchObject([{ alt: 'A red pot' }])

  await importText(db, sheet(`${columns},Image Alt Text`, `${row},`), { hasPicture: () => Promise.resolve(false) })
  expect(await picturesOf()).toEqual([{ source: 'https://pictures.example/pot.jpg' }])
})
