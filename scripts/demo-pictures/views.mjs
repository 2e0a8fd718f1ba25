import sharp from 'sharp'
import { cove, mix, SECOND, svg, tabletop, TINTS } from './backdrops.mjs'
import { compose, fit, lying, QUICK, standing } from './layers.mjs'

const pick = (list, text) =>
  list[[...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 99991, 7) % list.length]

export const heroView = async (image, tint) => {
  const thing = await fit(image, 800)
  return compose(cove(tint), await standing(thing, tint, [640, Math.round(640 + thing.height / 2 + 55)]))
}

export const pairView = async (image, key, tint, stands) => {
  const others = SECOND.map(name => TINTS[name]).filter(other => other !== tint)
  const second = pick(others, key)
  const side = pick([-1, 1], `${key}-side`)
  if (stands) {
    const near = await fit(image, 700, { shear: 0.07 * side })
    const far = await fit(image, 330, { shear: -0.05 * side })
    const behind = (await standing(far, second, [640 + 330 * side, 860])).map(async one => ({
      ...one,
      input: await sharp(one.input).blur(3).png(QUICK).toBuffer(),
    }))
    const front = await standing(near, second, [640 - 110 * side, 1040])
    return compose(cove(second, 1280, 1280, [0.5 - 0.12 * side, 0.4]), [...(await Promise.all(behind)), ...front])
  }
  const near = await fit(image, 790, { rotate: 18 * side })
  const far = await fit(image, 520, { rotate: -24 * side })
  return compose(tabletop(second), [
    ...(await lying(far, second, [640 + 370 * side, 280])),
    ...(await lying(near, second, [640 - 90 * side, 720])),
  ])
}

/** Three objects in a row, the middle one in front. */
export const rowView = async (image, tint) => {
  const [middle, side] = [await fit(image, 560), await fit(image, 430)]
  return compose(cove(tint, 1280, 1280, [0.5, 0.3]), [
    ...(await standing(side, tint, [300, 880])),
    ...(await standing(side, tint, [980, 880])),
    ...(await standing(middle, tint, [640, 1020])),
  ])
}

/** The object lying turned to the other side, seen from above. */
export const turnedView = async (image, tint) =>
  compose(tabletop(tint), await lying(await fit(image, 860, { rotate: -32 }), tint, [640, 640]))

export const tile = async (image, tint) => {
  const thing = await fit(image, 390)
  return compose(cove(tint, 640, 640), await standing(thing, tint, [320, 320 + thing.height / 2 + 25]), [640, 640])
}

/** A shop's logo: its motif on a circle. */
export const mark = async (image, tint) => {
  const ground = svg(
    640,
    640,
    `<defs><radialGradient id="m" cx=".4" cy=".34" r=".75"><stop offset="0" stop-color="${mix(tint, '#ffffff', 0.6)}"/>
    <stop offset="1" stop-color="${mix(tint, '#000000', 0.08)}"/></radialGradient></defs><rect width="640" height="640" fill="${mix(tint, '#ffffff', 0.7)}"/>
    <circle cx="320" cy="320" r="280" fill="url(#m)"/>`,
  )
  const thing = await fit(image, 320)
  return compose(ground, await standing(thing, tint, [320, 320 + thing.height / 2 + 8]), [640, 640])
}

/** A wide banner: objects on the right, free space for text on the left. */
export const banner = async (images, tint, [width, height]) => {
  const unit = height / 100
  const places =
    images.length > 1
      ? [
          [0.87, 44, 76],
          [0.585, 40, 78],
          [0.72, 64, 88],
        ]
      : [[0.77, 70, 88]]
  const layers = []
  for (const [i, [x, size, ground]] of places.entries())
    layers.push(
      ...(await standing(await fit(images[(i + 1) % images.length], size * unit), tint, [width * x, ground * unit])),
    )
  return compose(cove(tint, width, height, [0.74, 0.45]), layers, [width, height])
}
