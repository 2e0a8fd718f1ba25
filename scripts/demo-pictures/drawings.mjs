import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { svg } from './backdrops.mjs'
import { QUICK } from './layers.mjs'

const drawings = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-drawings-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.on('SIGINT', () => process.exit(130))
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '@lobehub/fluent-emoji-modern@1.0.0'], {
    stdio: 'ignore',
  })
  return join(folder, 'node_modules/@lobehub/fluent-emoji-modern/assets')
})()

/** Parts of a drawing that do not belong to the product: the moon over the tent. */
const SCENERY = { '26fa': /<path d="M28\.6615 [^>]*>/g }

const rendered = new Map()
const drawing = motif => {
  if (!rendered.has(motif)) {
    const file = [motif, `${motif}-fe0f`].map(name => join(drawings, `${name}.svg`)).find(path => existsSync(path))
    if (!file) throw new Error(`No drawing for ${motif}`)
    const source = Buffer.from(readFileSync(file, 'utf8').replace(SCENERY[motif] ?? '', ''))
    const density = (72 * 1400) / 32
    rendered.set(motif, sharp(source, { density }).trim().png(QUICK).toBuffer())
  }
  return rendered.get(motif)
}

const LIGHT = `<defs><linearGradient id="s" x1="0" y1="0" x2="1" y2="1">
  <stop offset="0" stop-color="#fff" stop-opacity=".16"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/>
  <stop offset="1" stop-color="#1b1030" stop-opacity=".16"/></linearGradient></defs>
  <rect width="100%" height="100%" fill="url(#s)"/>`

/** Multiplies the drawing by a colour, like dyeing white cloth. */
const dyed = async (image, shape, colour) => {
  const { width, height } = await sharp(shape).metadata()
  const sheet = svg(width, height, `<rect width="100%" height="100%" fill="${colour}"/>`)
  const cut = await sharp(sheet)
    .composite([{ input: shape, blend: 'dest-in' }])
    .png(QUICK)
    .toBuffer()
  const layers = [{ input: cut, blend: 'multiply' }]
  return sharp(image).composite(layers).png(QUICK).toBuffer()
}

/** The object without background: recoloured, less saturated than the drawing, lit from the top left. */
export const object = async ({ motif, look: { hue = 0, saturation = 1, brightness = 1, dye } = {} }) => {
  const shape = await drawing(motif)
  const { width, height } = await sharp(shape).metadata()
  const modulated = sharp(shape).modulate({ saturation: saturation * 0.9, brightness, hue })
  const plain = await modulated.png(QUICK).toBuffer()
  const coloured = dye ? await dyed(plain, shape, dye) : plain
  const light = [{ input: svg(width, height, LIGHT), blend: 'atop' }]
  return sharp(coloured).composite(light).png(QUICK).toBuffer()
}
