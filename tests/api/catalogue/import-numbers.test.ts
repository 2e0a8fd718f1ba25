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

describe('a point before three digits', () => {
  test('may stand between thousands: prices and stocks with it are reported', async () => {
    const columns = 'Handle,Title,Variant Price,Variant Inventory Qty'
    const { added, problems } = await importText(
      db,
      sheet(columns, 'sofa,Sofa,1.200,1', 'nail,Nail,1.20,1.000', 'lamp,Lamp,19.9900,3.0'),
    )
    expect({ added, problems }).toEqual({
      added: 1,
      problems: [
        "line 2: Variant Price '1.200' is not an amount such as 1299.00",
        "line 3: Variant Inventory Qty '1.000' is not a whole number",
      ],
    })
    expect(await storedProduct(db, 'lamp')).toMatchObject({ finalCents: 1999, stock: 3 })

    const feed = googleSheet(googleItem('rupiah', { price: '150.000 IDR' }))
    expect((await importText(db, feed, { shop: 'Jakarta', rate: 0.000_064 })).problems).toEqual([
      "line 2: price '150.000' is not an amount such as 1299.00",
    ])
  })

  test('stands before the thousandths of a currency that has them', async () => {
    const feed = googleSheet(googleItem('dinar', { price: '1.255 KWD', sale_price: '1.25 KWD' }))
    expect(await importText(db, feed, { shop: 'Kuwait', rate: 4 })).toMatchObject({ added: 1, problems: [] })
    expect(await storedProduct(db, 'dinar')).toMatchObject({ finalCents: 500, compareAtCents: 502 })
  })
})

describe('a comma in a file of WooCommerce’s', () => {
  const row = (SKU: string, price: string, cells = {}) => ({
    Type: 'simple',
    SKU,
    Name: SKU,
    Stock: '1',
    'Regular price': price,
    ...cells,
  })

  test('stands before the cents and the fractions of a weight, as in shops whose language writes it', async () => {
    const rows = [row('kanne', '19,99', { 'Sale price': '9,5', 'Weight (kg)': '1,255' }), row('tasse', '5,0')]
    expect(await importText(db, wooSheet(...rows), { shop: 'Küche' })).toMatchObject({ added: 2, problems: [] })
    const { variants, ...kanne } = await storedProduct(db, 'kanne')
    expect(kanne).toMatchObject({ finalCents: 950, compareAtCents: 1999 })
    expect(variants).toMatchObject([{ weightGrams: 1255 }])
    expect(await storedProduct(db, 'tasse')).toMatchObject({ finalCents: 500 })
  })

  test('is reported before three digits or after a point', async () => {
    const rows = [row('sofa', '1,299'), row('bett', '1.299,00'), row('tisch', '1,299.00')]
    expect((await importText(db, wooSheet(...rows), { shop: 'Küche' })).problems).toEqual([
      "line 2: Regular price '1,299' is not an amount such as 1299.00",
      "line 3: Regular price '1.299,00' is not an amount such as 1299.00",
      "line 4: Regular price '1,299.00' is not an amount such as 1299.00",
    ])
  })
})

describe('a number that a spreadsheet has shortened is reported, and the stored variant stays', () => {
  const SHORT = '8.60014E+11'
  const reason = `'${SHORT}' is a number that a spreadsheet has shortened: format the column as text`
  const shopify = (sku: string, barcode: string) =>
    sheet(
      'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant SKU,Variant Barcode',
      'cap,Cap,Size,S,5,860014000001,4006381333931',
      `cap,,,M,5,${sku},${barcode}`,
    )
  const woocommerce = (id: string, sku: string, barcode: string) => {
    const row = { Type: 'simple', Name: 'Hat', Stock: '1', 'Regular price': '5' }
    return wooSheet({ ...row, ID: id, SKU: sku, 'GTIN, UPC, EAN, or ISBN': barcode })
  }
  const google = (id: string, gtin: string, group = '') =>
    googleSheet(googleItem(id, { title: 'Scarf', gtin, item_group_id: group }))

  test.each([
    ['Variant SKU', 'cap', shopify('860014000002', '4006381333932'), shopify(SHORT, '4006381333932')],
    ['Variant Barcode', 'cap', shopify('860014000002', '4006381333932'), shopify('860014000002', SHORT)],
    ['SKU', 'hat', woocommerce('7', '860014000003', '1'), woocommerce('7', SHORT, '1')],
    ['ID', 'hat', woocommerce('7', '860014000003', '1'), woocommerce(SHORT, '860014000003', '1')],
    ['GTIN', 'hat', woocommerce('7', '860014000003', '1'), woocommerce('7', '860014000003', SHORT)],
    ['id', 'scarf', google('860014000004', '2'), google(SHORT, '2')],
    ['gtin', 'scarf', google('860014000004', '2'), google('860014000004', SHORT)],
    ['item_group_id', 'scarf', google('860014000004', '2'), google('860014000004', '2', SHORT)],
  ])('%s', async (name, slug, good, bad) => {
    await importText(db, good, { shop: 'Wear' })
    const { variants } = await storedProduct(db, slug)

    const { added, problems } = await importText(db, bad, { shop: 'Wear' })

    expect({ added, problems }).toEqual({ added: 0, problems: [expect.stringContaining(`${name} ${reason}`)] })
    expect((await storedProduct(db, slug)).variants).toEqual(variants)
  })
})
