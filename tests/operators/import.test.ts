import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { askShop } from '#server/operators/cli/ask-shop.ts'
import { auditEvents } from '#server/db/schema.ts'
import { fixture, sheet, stored } from '#tests/support/catalogue/catalogue-file.ts'
import { makeShopData } from '#tests/support/provider/shop-data.ts'
import { type Ended, openForOperators, typeCommand, type Typing } from '#tests/support/provider/typing.ts'

const COMMAND_MS = 180_000

const { dataDir, environment, remove } = await makeShopData(inject('postgresUrl') ?? undefined)
const pictures = await mkdtemp(join(dataDir, 'pictures-'))
let shop: Awaited<ReturnType<typeof openForOperators>>

beforeAll(async () => {
  shop = await openForOperators(environment)
})
afterAll(async () => {
  await shop.close()
  await remove()
})

function market(words: string[], typing: Typing = {}): Promise<Ended> {
  return typeCommand(words, { ...typing, env: environment })
}

test('a file that is not a catalogue is rejected before it is read to the end', async () => {
  const { code, err } = await market(['import', '-'], { input: `<html>${'<p>'.repeat(2_000_000)}` })
  expect(code).toBe(1)
  expect(err).toMatch(
    /^The file is a web page, not a catalogue: .*\nPiazza takes Shopify's product CSV .*WooCommerce's product CSV .*Google Merchant's product feed .* as TSV or XML,\nand its own JSON/,
  )
})

test('all bad lines are reported to an operator who reads slowly, without piling up listeners', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  let told = ''
  const order = { name: 'import', untrackedStock: 1, isDryRun: false, hasPictures: false } as const
  const code = await askShop(shop.config.dataDir, order, {
    input: Readable.from([Buffer.from(sheet('Handle,Title,Variant Price', 'a\n'.repeat(20_000)))]),
    out: async () => {},
    async err(text) {
      await setImmediate()
      told += text
    },
    isWatched: false,
    signal: new AbortController().signal,
  })
  process.off('warning', note)

  expect(code).toBe(1)
  expect(told.match(/^line \d+: 1 columns/gm)).toHaveLength(20_000)
  expect(warnings).toEqual([])
})

test(
  'files of WooCommerce and feeds of Google are recognised, and their variants shown and changed by SKU',
  { timeout: 4 * COMMAND_MS },
  async () => {
    const words = ['import', '-', '--shop', 'Clothes', '--shipping', 'Kenya=5', '--no-pictures']
    const { code, out, err } = await market(words, { input: fixture('woocommerce-sample.csv') })
    expect({ code, out }).toEqual({
      code: 1,
      out: [
        '13 products: 13 new, 0 changed, 0 as they were',
        '2 lines could not be used',
        '1 product is hidden, as the file says',
        '',
      ].join('\n'),
    })
    expect(err).toContain("line 17: Type 'grouped' is not imported")

    await market(['product', 'set', 'hoodie', '--variant', 'cc-hoodie-red', 'price=40', 'discount=0', 'stock=6'])
    expect((await market(['product', 'show', 'hoodie'])).out).toContain(
      '  Red, Logo No, SKU cc-hoodie-red: $40.00, 6 in stock, sold without stock too\n',
    )

    const feed = fixture('google-feed-sample.xml')
    expect(await market([...words, '--stock', '9'], { input: feed })).toMatchObject({
      code: 0,
      out: [
        '5 products: 5 new, 0 changed, 0 as they were',
        "13 products of this shop are not among them and stay as they are (see 'product list --shop NAME', 'product remove SLUG')",
        '',
      ].join('\n'),
    })
    expect(await market(words, { input: feed.replaceAll(' USD<', ' ZAR<') })).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^line 8: the prices are in ZAR: say with --rate what one ZAR is worth in US dollars\n/m,
      ) as string,
    })
  },
)

test(
  'a dry run reports what an import would do, and changes no rows, pictures or audit events',
  { timeout: 3 * COMMAND_MS },
  async () => {
    const { db } = shop.database
    const folderOf = (name: string) => readdir(join(shop.config.dataDir, name), { recursive: true }).catch(() => [])
    const look = async () => [await stored(db), await db.select().from(auditEvents), await folderOf('media')]
    const before = await look()
    const columns = 'Handle,Title,Vendor,Variant Price,Variant Inventory Qty,Image Src'
    const text = sheet(columns, 'rand,Rand,Acme,200,0,https://pictures.example/red.png', 'bad,Bad,Umbrella,x,1,')
    const words = ['import', '-', '--shop', 'Dry House', '--rate', '0.095', '--images', pictures]

    expect(await market([...words, '--dry-run'], { input: text })).toEqual({
      code: 1,
      out: [
        '1 product: 1 new, 0 changed, 0 as they were',
        '1 line could not be used',
        "1 product has no stock: rand ('product set SLUG stock=5')",
        "1 product ships nowhere: rand (give their shops rates with 'seller shipping SHOP Kenya=5', or import with --shipping Kenya=5)",
        `1 picture of a product would be looked for in ${pictures}`,
        'This was a dry run: nothing has been changed',
        '',
      ].join('\n'),
      err: "line 3: Variant Price 'x' is not an amount such as 1299.00\n",
    })
    expect(await look()).toEqual(before)

    expect(await market([...words, '--no-pictures'], { input: text })).toMatchObject({ code: 1 })
    expect(await market(['product', 'set', 'rand', 'stock=1'])).toMatchObject({
      out: 'rand: $19.00, 1 in stock, visible\n',
    })
  },
)

test(
  'an import and its dry run say which variants are deleted, and which products of its shops stay',
  { timeout: 4 * COMMAND_MS },
  async () => {
    const words = ['import', '-', '--no-pictures', '--shipping', 'Kenya=5']
    const columns = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty,Image Src'
    const row = (handle: string, shop: string, size: string) =>
      `${handle},${handle},${shop},Size,${size},5,1,https://pictures.example/${handle}.jpg`
    await market(words, {
      input: sheet(
        columns,
        ...['S', 'M', 'L'].map(size => row('sleeve', 'Sleeves', size)),
        row('cuff', 'Sleeves', 'S'),
        row('collar', 'Collars', 'S'),
        row('tie', 'Collars', 'S'),
      ),
    })

    const input = sheet(columns, row('sleeve', 'Sleeves', 'S'), row('vest', 'Sleeves', 'S'))
    const about = ['2 products: 1 new, 1 changed, 0 as they were']
    const cuff =
      "1 product of this shop is not among them and stays as it is (see 'product list --shop NAME', 'product remove SLUG')"
    expect((await market([...words, '--dry-run'], { input })).out.split('\n')).toEqual([
      ...about,
      '2 variants that the file lacks would be deleted',
      cuff,
      'This was a dry run: nothing has been changed',
      '',
    ])
    expect((await market(words, { input })).out.split('\n')).toEqual([
      ...about,
      '2 variants that the file lacks are deleted',
      cuff,
      '',
    ])

    const both = sheet(columns, row('sleeve', 'Sleeves', 'S'), row('collar', 'Collars', 'S'))
    expect((await market(words, { input: both })).out).toContain('\n3 products of these shops are not among them')
  },
)

test(
  'variants that the file does not count get the units that the operator names, in the format that they name',
  { timeout: 2 * COMMAND_MS },
  async () => {
    const words = ['import', '-', '--no-pictures', '--shipping', 'Kenya=5', '--untracked-stock', '7']
    const text = sheet('Handle,Title,Vendor,Variant Price', 'kite,Kite,Kites,5')

    expect(await market([...words, '--format', 'google'], { input: text })).toMatchObject({
      code: 1,
      err: expect.stringContaining('The file lacks the columns id, price') as string,
    })
    await market(words, { input: text })

    expect((await market(['product', 'show', 'kite'])).out).toContain('kite: $5.00, 7 in stock')
  },
)

test(
  'pictures are imported from a folder once, and a missing one causes a warning',
  { timeout: 2 * COMMAND_MS },
  async () => {
    const red = sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    await writeFile(join(pictures, 'red.png'), await red.png().toBuffer())
    const text = sheet(
      'Handle,Title,Variant Price,Image Src',
      'seen,Seen,5,https://pictures.example/red.png?v=2',
      'unseen,Unseen,5,https://pictures.example/blue.png',
    )
    const first = await market(['import', '-', '--images', pictures], { input: text })
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 picture brought in, 1 could not be had') as string,
    })
    expect(first.err).toContain('warning: https://pictures.example/blue.png: there is no blue.png in')
    const again = await market(['import', '-', '--images', pictures], { input: text })
    expect(again.out).toContain('0 pictures brought in, 1 could not be had')
  },
)
