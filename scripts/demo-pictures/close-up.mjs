import sharp from 'sharp'
import { svg, tabletop } from './backdrops.mjs'
import { cast, centred, compose, fit, QUICK } from './layers.mjs'

const SIDE = 1280

/** The most interesting part of the object: the window with the widest range of tones and the least empty space. */
const focusOf = async (image, [width, height]) => {
  const { data, info } = await sharp(image)
    .resize(96, 96, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const reach = [(SIDE / width / 2) * info.width, (SIDE / height / 2) * info.height]
  const worth = ([fx, fy]) => {
    const tones = []
    let filled = 0
    for (let y = Math.ceil(fy * info.height - reach[1]); y < fy * info.height + reach[1]; y++)
      for (let x = Math.ceil(fx * info.width - reach[0]); x < fx * info.width + reach[0]; x++) {
        const at = (y * info.width + x) * 4
        const inside = x >= 0 && y >= 0 && x < info.width && y < info.height && data[at + 3] > 128
        if (inside) filled++
        tones.push(inside ? data[at] * 0.3 + data[at + 1] * 0.6 + data[at + 2] * 0.1 : 225)
      }
    const mean = tones.reduce((sum, tone) => sum + tone, 0) / tones.length
    const spread = Math.sqrt(tones.reduce((sum, tone) => sum + (tone - mean) ** 2, 0) / tones.length)
    return (filled / tones.length) * (spread + 20)
  }
  const points = [0.34, 0.42, 0.5, 0.58, 0.66].flatMap(fx => [0.32, 0.42, 0.52, 0.62].map(fy => [fx, fy]))
  return points.map(point => [worth(point), point]).toSorted((a, b) => b[0] - a[0])[0][1]
}

let edgeMask
const edges = () => {
  const stops = '<stop offset=".52" stop-color="#000"/><stop offset="1" stop-color="#fff"/>'
  const fill = `<defs><radialGradient id="e" r=".72">${stops}</radialGradient></defs><rect width="100%" height="100%" fill="url(#e)"/>`
  edgeMask ??= sharp(svg(SIDE, SIDE, fill))
    .extractChannel(0)
    .png()
    .toBuffer()
  return edgeMask
}

/** A close-up with a shallow depth of field: sharp in the middle, soft at the edges. */
export const closeView = async (image, tint) => {
  const thing = await fit(image, 1600)
  const [fx, fy] = await focusOf(image, [thing.width, thing.height])
  const place = [SIDE / 2 + thing.width * (0.5 - fx), SIDE / 2 + thing.height * (0.5 - fy)]
  const shadow = await cast(thing, tint, place, { opacity: 0.32, blur: 34, shift: 34 })
  const crop = await (
    await compose(tabletop(tint), [shadow, centred(thing, place)])
  )
    .removeAlpha()
    .png(QUICK)
    .toBuffer()
  const small = await sharp(crop)
    .resize(SIDE / 4)
    .blur(4)
    .png(QUICK)
    .toBuffer()
  const soft = await sharp(small)
    .resize(SIDE, SIDE, { kernel: 'cubic' })
    .joinChannel(await edges())
    .png(QUICK)
    .toBuffer()
  return sharp(crop).composite([{ input: soft }])
}
