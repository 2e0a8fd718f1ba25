import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPictures } from '#server/catalogue/files/import/pictures.ts'
import { listPictureless } from '#server/catalogue/files/pictures.ts'
import { createPictureFetcher } from '#server/media/fetch.ts'
import { examinePictures } from '#server/operators/data-checks.ts'
import { picture } from '#tests/support/catalogue/catalogue.ts'
import { exported, fixture, importText, sheet, stored, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

const addressOf = (name: string) => `https://pictures.example/${name}.png`
const banner = (name: string) => ({ title: name, description: '', picture: { source: addressOf(name) } })
const RECORDS = [
  { type: 'carousel', banners: [banner('first'), banner('second')] },
  { type: 'category', name: 'Jars', picture: { source: addressOf('jars') } },
  { type: 'shop', name: 'Jar House', picture: { source: addressOf('shop') }, banner: banner('shop-banner') },
  {
    shop: 'Jar House',
    handle: 'jar',
    name: 'Jar',
    category: 'Jars',
    price: 5,
    pictures: [{ source: addressOf('jar') }, { source: addressOf('gone') }],
    banner: banner('jar-banner'),
  },
]

async function fetchAll(shops = ['jar-house']) {
  const asked: string[] = []
  const warnings: string[] = []
  const square = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const result = await fetchPictures({
    db: provider.db,
    media: { store: async () => ({ ...picture(asked.at(-1) ?? ''), width: 8, height: 8 }) },
    shops,
    fetch: async address => {
      asked.push(address)
      if (address === addressOf('gone')) throw new Error('it is gone')
      return square
    },
    onWarning: reason => warnings.push(reason),
  })
  return { ...result, asked: asked.toSorted(), warnings }
}

test('pictures of products, shops, categories and banners are fetched once, and failures are reported', async () => {
  const { db } = provider
  expect(await importText(db, JSON.stringify(RECORDS))).toMatchObject({ added: 1, problems: [] })

  const names = ['first', 'gone', 'jar', 'jar-banner', 'jars', 'second', 'shop', 'shop-banner']
  const warnings = [`${addressOf('gone')}: it is gone`]
  expect(await fetchAll()).toEqual({ stored: 7, missing: 1, asked: names.map(addressOf).toSorted(), warnings })
  const catalogue = await stored(db)
  const isThere = { hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }
  expect(catalogue.products[0]).toMatchObject({
    pictures: [isThere, { source: addressOf('gone') }],
    banner: { picture: isThere },
  })
  expect(catalogue.sellers[0]).toMatchObject({ picture: isThere, banner: { title: 'shop-banner', picture: isThere } })
  expect(catalogue.categories[0]).toMatchObject({ picture: isThere })
  expect(catalogue.platformBanners).toMatchObject([{ picture: isThere }, { picture: isThere }])

  expect(await importText(db, JSON.stringify(RECORDS))).toMatchObject({ unchanged: 1, problems: [] })
  expect(await stored(db)).toEqual(catalogue)
  expect(await fetchAll()).toMatchObject({ stored: 0, missing: 1, asked: [addressOf('gone')] })
})

test('pictures of new products are fetched although their host refuses those of older ones', async () => {
  const { db } = provider
  const cert = fixture('pictures-cert.pem')
  const server = createServer({ key: fixture('pictures-key.pem'), cert }, ({ url }, response) => {
    if (url?.includes('old')) response.writeHead(403).end()
    else response.writeHead(200, { 'content-type': 'image/png' }).end('png')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const record = (handle: string) => {
    const source = `https://shop.example:${port}/${handle}.png`
    return { shop: 'Refused House', handle, name: handle, price: 5, stock: 1, pictures: [{ source }] }
  }
  const old = Array.from({ length: 8 }, (_, at) => record(`old-${at}`))
  await importText(db, JSON.stringify(old))
  await importText(db, JSON.stringify([...old, record('fresh')]))
  const fetchPicture = createPictureFetcher({
    ca: cert,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: () => true,
  })

  const result = await fetchPictures({
    db,
    media: { store: async () => ({ ...picture('fresh'), width: 8, height: 8 }) },
    shops: ['refused-house'],
    fetch: fetchPicture,
    onWarning: () => {},
  }).finally(() => server.close())

  expect(result).toEqual({ stored: 1, missing: 8 })
  expect((await storedProduct(db, 'fresh')).pictures).toMatchObject([{ hash: picture('fresh').hash }])
})

test('importing a carousel replaces the current one, unless the new one has an invalid link', async () => {
  const { db } = provider
  const shown = async () => (await provider.api.getPlatformBanners({})).banners.map(({ title }) => title)
  const carousel = (...banners: object[]) => importText(db, JSON.stringify([{ type: 'carousel', banners }]))
  const withPicture = (name: string) => ({ ...banner(name), picture: picture(name) })

  await carousel(withPicture('third'), withPicture('first'))
  expect(await shown()).toEqual(['third', 'first'])
  const wrong = { ...withPicture('wrong'), link: 'javascript:alert(1)' }
  expect(await carousel(wrong)).toMatchObject({
    problems: ["line 1: banners.0.link: 'javascript:alert(1)' is not a path of the shop such as /products"],
  })
  expect(await shown()).toEqual(['third', 'first'])
  await carousel()
  expect(await shown()).toEqual([])
})

test('an imported picture hash is dropped when the shop does not have the picture', async () => {
  const { db } = provider
  const hashes = [{ type: 'carousel', banners: [{ ...banner('lost'), picture: picture('lost') }] }]
  const shop = {
    type: 'shop',
    name: 'Lost',
    picture: picture('lost'),
    banner: { ...banner('x'), picture: picture('lost') },
  }
  await importText(db, JSON.stringify([...hashes, shop]), { hasPicture: () => Promise.resolve(false) })
  const { sellers, platformBanners } = await stored(db)
  expect(platformBanners).toEqual([])
  expect(sellers.find(({ key }) => key === 'lost')).toMatchObject({ picture: null, banner: null })
})

test('an exported variant keeps its picture in the same shop, and loses it in a shop that has not stored it', async () => {
  const { db } = provider
  const [blue, red] = [picture('blue'), picture('red')]
  const pictures = [{ hash: blue.hash }, { hash: red.hash }]
  const variant = { options: [['Colour', 'Red']], price: 5, stock: 1, picture: { hash: red.hash } }
  const records = [{ shop: 'Own', handle: 'own-red', name: 'Red', price: 5, pictures, variants: [variant] }]
  const hasPicture = () => Promise.resolve(true)
  await importText(db, JSON.stringify(records), { hasPicture })
  const before = await storedProduct(db, 'own-red')
  expect(before).toMatchObject({ pictures, variants: [{ picture: { hash: red.hash } }] })

  for (const format of ['shopify', 'json'] as const)
    expect(await importText(db, await exported(db, format), { hasPicture })).toMatchObject({ changed: 0, problems: [] })
  expect(await storedProduct(db, 'own-red')).toEqual(before)

  await importText(db, JSON.stringify(records), { hasPicture: async hash => hash === blue.hash })
  expect(await storedProduct(db, 'own-red')).toMatchObject({
    pictures: [{ hash: blue.hash }],
    variants: [{ picture: null }],
  })
})

test('a product shows its picture until the one at a new address is fetched', async () => {
  const { db, api } = provider
  const fileWith = (name: string) =>
    sheet('Handle,Title,Vendor,Variant Price,Image Src', `moved,Moved,Moving House,5,${addressOf(name)}`)
  const imagesOf = async () => (await api.getProduct({ id: 'moved' })).product.images
  const pathOf = (name: string) => `/media/${picture(addressOf(name)).hash}/640.webp`
  const { hash } = picture(addressOf('moved'))
  const measure = () => Promise.resolve({ path: 'moved', bytes: 1, changedAt: new Date(0) })
  async function* listMoved(beginning: string) {
    if (hash.startsWith(beginning)) yield { hash, hasOriginal: true, measure }
  }
  await importText(db, fileWith('moved'))
  await fetchAll(['moving-house'])
  expect(await imagesOf()).toEqual([pathOf('moved')])

  for (const changed of [1, 0]) {
    expect(await importText(db, fileWith('gone'))).toMatchObject({ changed })
    expect(await fetchAll(['moving-house'])).toMatchObject({ warnings: [`${addressOf('gone')}: it is gone`] })
    expect(await imagesOf()).toEqual([pathOf('moved')])
    expect(await listPictureless(db)).not.toContain('moved')
    expect((await examinePictures(db, { list: listMoved })).orphans).toEqual([])
  }

  await importText(db, fileWith('there'))
  expect(await imagesOf()).toEqual([pathOf('moved')])
  await fetchAll(['moving-house'])
  expect(await imagesOf()).toEqual([pathOf('there')])
  expect((await storedProduct(db, 'moved')).pictures).toEqual([
    { source: addressOf('there'), hash: picture(addressOf('there')).hash },
  ])
})

test('categories, shops and banners show their pictures until those at new addresses are fetched', async () => {
  const { db, api } = provider
  const pathOf = (name: string) => `/media/${picture(addressOf(name)).hash}/640.webp`
  const recordsWith = (name: string, title = 'Sale') => {
    const [own, sale] = [{ source: addressOf(name) }, { ...banner(name), title }]
    return JSON.stringify([
      { type: 'carousel', banners: [sale] },
      { type: 'category', name: 'Vases', picture: own },
      { type: 'shop', name: 'Vase House', picture: own, banner: sale },
      { shop: 'Vase House', handle: 'vase', name: 'Vase', category: 'Vases', price: 5, pictures: [own], banner: sale },
    ])
  }
  const shownPictures = async () => {
    const { product } = await api.getProduct({ id: 'vase' })
    return {
      category: (await api.getCategories({})).categories.find(({ name }) => name === 'Vases')?.image,
      shop: (await api.getSellerProducts({ sellerId: product.sellerId })).seller.image,
      carousel: (await api.getPlatformBanners({})).banners[0]?.image,
      shopBanner: (await api.getBanners({})).banners.find(({ _id }) => _id === product.sellerId)?.image,
      productBanner: product.banner?.image,
    }
  }
  const everywhere = (path: string) => {
    return { category: path, shop: path, carousel: path, shopBanner: path, productBanner: path }
  }
  await importText(db, recordsWith('vases'))
  await fetchAll(['vase-house'])
  expect(await shownPictures()).toEqual(everywhere(pathOf('vases')))

  for (const changed of [1, 0]) {
    expect(await importText(db, recordsWith('gone'))).toMatchObject({ changed })
    await fetchAll(['vase-house'])
    expect(await shownPictures()).toEqual(everywhere(pathOf('vases')))
  }

  await importText(db, recordsWith('new-vases'))
  await fetchAll(['vase-house'])
  expect(await shownPictures()).toEqual(everywhere(pathOf('new-vases')))
  expect(JSON.stringify(await stored(db))).not.toContain(picture(addressOf('vases')).hash)

  await importText(db, recordsWith('gone', 'Another sale'))
  const { carousel, shopBanner, productBanner } = await shownPictures()
  expect([carousel, shopBanner, productBanner]).toEqual([undefined, undefined, undefined])
})
