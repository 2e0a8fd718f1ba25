// Composes the demo marketplace's pictures from an MIT-licensed set of vector drawings.
// Usage: node scripts/demo-pictures.mjs [--only=name-part] [--out=folder] [--missing]
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { TINTS } from './demo-pictures/backdrops.mjs'
import { closeView } from './demo-pictures/close-up.mjs'
import { object } from './demo-pictures/drawings.mjs'
import { snapshot } from './demo-pictures/snapshots.mjs'
import { banner, heroView, mark, pairView, rowView, tile, turnedView } from './demo-pictures/views.mjs'

const demo = new URL('../server/operators/demo/', import.meta.url).pathname
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    out: { type: 'string', default: join(demo, 'pictures') },
    missing: { type: 'boolean' },
  },
})

const content = name => JSON.parse(readFileSync(join(demo, 'content', `${name}.json`), 'utf8'))
const wanted = name =>
  (!options.only || name.includes(options.only)) && !(options.missing && existsSync(join(options.out, name)))
let made = 0
const save = async (name, picture, quality = 84) => {
  await (await picture).webp({ quality }).toFile(join(options.out, name))
  made++
}

mkdirSync(options.out, { recursive: true })
for (const { image, tint, ...category } of content('categories'))
  if (wanted(image)) await save(image, tile(await object(category), TINTS[tint]))
for (const { image, tint, banner: own, ...seller } of content('sellers')) {
  if (wanted(image)) await save(image, mark(await object(seller), TINTS[tint]))
  if (own && wanted(own.image)) await save(own.image, banner([await object(seller)], TINTS[tint], [1280, 480]))
}
for (const { image, tint, motifs } of content('banners'))
  if (wanted(image))
    await save(image, banner(await Promise.all(motifs.map(motif => object({ motif }))), TINTS[tint], [1920, 720]))
for (const { images, key, tint: name, shippingExtra, colours = {}, ...product } of content('products')) {
  for (const { image, look, tint } of Object.values(colours))
    if (wanted(image)) await save(image, heroView(await object({ ...product, look }), TINTS[tint]))
  const [hero, pair, close, row, turned] = images
  if (!images.some(wanted)) continue
  const thing = await object(product)
  if (wanted(hero)) await save(hero, heroView(thing, TINTS[name]))
  if (wanted(pair)) await save(pair, pairView(thing, key, TINTS[name], Boolean(shippingExtra)))
  if (wanted(close)) await save(close, closeView(thing, TINTS[name]))
  if (row && wanted(row)) await save(row, rowView(thing, TINTS[name]))
  if (turned && wanted(turned)) await save(turned, turnedView(thing, TINTS[name]))
}
const products = new Map(content('products').map(product => [product.key, product]))
for (const { product: key, images = [] } of content('reviews')) {
  const product = products.get(key)
  for (const image of images.filter(wanted)) await save(image, snapshot(await object(product), product, image), 68)
}
console.log(`${made} pictures in ${options.out}`)
