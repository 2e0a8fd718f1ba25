import sharp from 'sharp'
import { hex, shadowOf } from './backdrops.mjs'

/** Intermediate pictures are not worth compressing. */
export const QUICK = { compressionLevel: 0 }

const turn = async (image, size, { rotate, shear }) => {
  const box = Math.round(size * 1.1)
  const small = await sharp(image).resize(box, box, { fit: 'inside', withoutEnlargement: true }).png(QUICK).toBuffer()
  const background = '#0000'
  const matrix = [0.92, 0, shear ?? 0, 1]
  const turned = rotate ? sharp(small).rotate(rotate, { background }) : sharp(small).affine(matrix, { background })
  return sharp(await turned.png(QUICK).toBuffer())
    .trim()
    .png(QUICK)
    .toBuffer()
}

/** The object, turned or sheared, without margins, scaled to fit a square of this size. */
export const fit = async (image, size, how = {}) => {
  const turned = how.rotate || how.shear ? await turn(image, size, how) : image
  const side = Math.round(size)
  const resized = sharp(turned).resize(side, side, { fit: 'inside' })
  const { data, info } = await resized.png(QUICK).toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height }
}

/** The object's silhouette in one colour, scaled and blurred, with margins. Blurs a smaller copy, for speed. */
const shadow = async ({ input, width, height }, { colour, opacity, blur, to = [width, height], from = 0 }) => {
  const scale = Math.max(1, Math.floor(blur / 4))
  const small = length => Math.max(2, Math.round(length / scale))
  const room = small(blur * 3)
  const top = Math.floor(height * from)
  const alpha = await sharp(input)
    .extract({ left: 0, top, width, height: height - top })
    .extractChannel('alpha')
    .resize(small(to[0]), small(to[1]), { fit: 'fill' })
    .linear(opacity, 0)
    .toColourspace('b-w')
    .png(QUICK)
    .toBuffer()
  const [r, g, b] = hex(colour)
  const background = { r, g, b, alpha: 0 }
  const create = { width: small(to[0]), height: small(to[1]), channels: 3, background }
  const flat = await sharp({ create }).joinChannel(alpha).png(QUICK).toBuffer()
  const wide = await sharp(flat)
    .extend({ top: room, bottom: room, left: room, right: room, background })
    .png(QUICK)
    .toBuffer()
  const soft = await sharp(wide)
    .blur(blur / scale)
    .png(QUICK)
    .toBuffer()
  const size = { width: Math.round(to[0] + room * 2 * scale), height: Math.round(to[1] + room * 2 * scale) }
  return {
    input: await sharp(soft).resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' }).png(QUICK).toBuffer(),
    ...size,
  }
}

/** Crops a layer to the canvas: sharp rejects layers that exceed it. */
const layer = async ({ input, left, top }, [width, height]) => {
  const size = await sharp(input).metadata()
  const box = { left: Math.max(0, -Math.round(left)), top: Math.max(0, -Math.round(top)) }
  box.width = Math.min(size.width, width - Math.round(left)) - box.left
  box.height = Math.min(size.height, height - Math.round(top)) - box.top
  if (box.width < 1 || box.height < 1) return []
  const cut = await sharp(input).extract(box).png(QUICK).toBuffer()
  return [{ input: cut, left: Math.max(0, Math.round(left)), top: Math.max(0, Math.round(top)) }]
}

export const compose = async (backdrop, layers, [width, height] = [1280, 1280]) => {
  const cut = await Promise.all(layers.map(one => layer(one, [width, height])))
  return sharp(backdrop).composite(cut.flat())
}

/** The layers of an object that stands at (centre, ground): two contact shadows, then the object. */
export const standing = async (thing, tint, [centre, ground]) => {
  const colour = shadowOf(tint)
  const { width, height } = thing
  const wide = await shadow(thing, { colour, opacity: 0.34, blur: width * 0.05, to: [width * 1.04, width * 0.13] })
  const tight = await shadow(thing, {
    colour,
    opacity: 0.6,
    blur: width * 0.016,
    to: [width * 0.98, width * 0.045],
    from: 0.86,
  })
  const under = (cast, sunk) => ({
    input: cast.input,
    left: centre - cast.width / 2,
    top: ground - cast.height / 2 - sunk,
  })
  return [
    under(wide, width * 0.006),
    under(tight, width * 0.002),
    { input: thing.input, left: centre - width / 2, top: ground - height },
  ]
}

/** The shadow of an object that lies at (x, y), to the lower right. */
export const cast = async (thing, tint, [x, y], { opacity, blur, shift }) => {
  const soft = await shadow(thing, { colour: shadowOf(tint), opacity, blur })
  return { input: soft.input, left: x - soft.width / 2 + shift, top: y - soft.height / 2 + shift * 1.3 }
}

/** The layer of an object centred on (x, y). */
export const centred = ({ input, width, height }, [x, y]) => ({ input, left: x - width / 2, top: y - height / 2 })

/** The layers of an object that lies on a table: a wide shadow, a tight one, then the object. */
export const lying = async (thing, tint, place) => [
  await cast(thing, tint, place, { opacity: 0.32, blur: 34, shift: 34 }),
  await cast(thing, tint, place, { opacity: 0.28, blur: 9, shift: 8 }),
  centred(thing, place),
]
