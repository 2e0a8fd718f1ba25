import { afterAll, expect, test } from 'vitest'
import { createDemo } from '#server/operators/demo/seed.ts'
import { picture } from '#tests/support/catalogue/catalogue.ts'
import { fixture, importText } from '#tests/support/catalogue/catalogue-file.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

const SHOWN = 3

/** The searches of a table with what each must find: one of each list. */
function searchesOf(table: string): [search: string, wanted: string[][]][] {
  const lines = fixture(table).split('\n')
  return lines
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [search = '', wanted = ''] = line.split(' = ')
      return [search, wanted.split(', ').map(either => either.split(' / '))]
    })
}

/** The searches that lack a wanted product among the first three, each with what they find. */
async function missesOf({ api }: Provider, table: string): Promise<string[]> {
  const misses: string[] = []
  for (const [search, wanted] of searchesOf(table)) {
    const { products } = await api.queryProducts({ search })
    const shown = products.slice(0, SHOWN)
    const isShown = (either: string[]) => shown.some(({ slug, name }) => either.includes(slug) || either.includes(name))
    if (!wanted.every(isShown)) misses.push(`${search}: ${shown.map(({ name }) => name).join(' | ') || 'nothing'}`)
  }
  return misses
}

const providers: Provider[] = []
async function openShop(): Promise<Provider> {
  const provider = await startProvider({ limits: 'search=100000/1m,api=100000/1m' })
  providers.push(provider)
  return provider
}
afterAll(() => Promise.all(providers.map(({ close }) => close())))

test('the first three products include one that fits, for searches of the demo’s shoppers', async () => {
  const shop = await openShop()
  const media = { add: (bytes: Buffer) => Promise.resolve(picture(bytes.toString('base64')).hash) }
  await createDemo({ ...shop, media }).seed()

  expect(await missesOf(shop, 'searches/demo.txt')).toEqual([])
})

test('the first three products include one that fits, for searches of imported catalogues', async () => {
  const shop = await openShop()
  await importText(shop.db, fixture('shopify-apparel.csv'), { shop: 'Apparel' })
  await importText(shop.db, fixture('shopify-home-and-garden.csv'), { shop: 'Home Sweet Home' })
  await importText(shop.db, fixture('woocommerce-sample.csv'), { shop: 'Classics' })
  await importText(shop.db, fixture('google-feed-sample.xml'), { shop: 'AirFeel' })
  await shop.database.settled()

  expect(await missesOf(shop, 'searches/imported.txt')).toEqual([])
})
