import sharp from 'sharp'
import { svg } from './backdrops.mjs'
import { compose, fit, lying, QUICK, standing } from './layers.mjs'

const SIDE = 1280
/** Width and height of the finished picture, as a phone takes it. */
const FRAME = [768, 1024]

/** Surfaces on which people put what they have bought: colour, and how far the grain is stretched along the board. */
const SURFACES = [
  { colour: '#b98d62', grain: '.004 .11', strength: 0.3 },
  { colour: '#8a6244', grain: '.003 .09', strength: 0.34 },
  { colour: '#d8c3a5', grain: '.004 .1', strength: 0.22 },
  { colour: '#9aa0a3', grain: '.03 .03', strength: 0.16 },
  { colour: '#cfc9bf', grain: '.5 .5', strength: 0.2 },
]
const WALLS = ['#e9e2d6', '#d7dde0', '#e6d9cf', '#dfe3d8']

const numberOf = text => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 99991, 7)

const grained = ({ colour, grain, strength }, from) => `<filter id="g" x="0" y="0" width="100%" height="100%">
  <feTurbulence type="fractalNoise" baseFrequency="${grain}" numOctaves="4" seed="${from}"/>
  <feColorMatrix values="0 0 0 0 .16  0 0 0 0 .1  0 0 0 0 .06  ${strength * 2.4} 0 0 0 ${-strength * 0.75}"/></filter>
  <rect width="100%" height="100%" fill="${colour}"/><rect width="100%" height="100%" filter="url(#g)"/>`

/** A table seen from above, or with a wall behind it, beside a window. */
const room = (surface, seed, hasWall) => {
  const light = `<defs><filter id="b"><feGaussianBlur stdDeviation="26"/></filter></defs>
    <g fill="#fff4dc" opacity=".34" filter="url(#b)" transform="skewX(-24) translate(${240 + (seed % 260)} 60)">
    <rect width="220" height="560"/><rect x="270" width="220" height="560"/></g>`
  if (!hasWall) return svg(SIDE, SIDE, grained(surface, seed) + light)
  const wall = WALLS[seed % WALLS.length]
  const shade = `<defs><linearGradient id="w" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity=".02"/>
    <stop offset=".94" stop-color="#000" stop-opacity=".07"/><stop offset="1" stop-color="#000" stop-opacity=".3"/></linearGradient></defs>`
  const both = `<rect width="100%" height="${SIDE * 0.56}" fill="${wall}"/><rect width="100%" height="${SIDE * 0.56}" fill="url(#w)"/>`
  return svg(SIDE, SIDE, grained(surface, seed) + shade + both + light)
}

const DARK_EDGES = svg(
  ...FRAME,
  `<defs><radialGradient id="v" r=".78"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".26"/></radialGradient></defs>
  <rect width="100%" height="100%" fill="url(#v)"/>`,
)

/** Sizes of the object, ground and side in the first, second and third picture of a product. */
const TAKES = [
  { size: 590, ground: 930, side: 1 },
  { size: 860, ground: 1060, side: -1 },
  { size: 420, ground: 860, side: -1 },
]
/** What lies on the table, or is drawn from above. */
const LYING = ['iron-skillet-26-cm', 'morning-cup-and-saucer', 'tidewater-cotton-dress']

/** A customer's own picture: the object on a table at home, a little askew and off the centre. */
export const snapshot = async (image, { key }, name) => {
  const take = Number(/(\d)\.webp$/.exec(name)[1]) - 1
  const { size, ground, side } = TAKES[take]
  const seed = numberOf(name.slice(0, -6)) + 7 * take
  const surface = SURFACES[seed % SURFACES.length]
  const centre = SIDE / 2 + side * (20 + (seed % 50))
  const isLying = LYING.includes(key)
  const thing = side > 0 ? image : await sharp(image).flop().png(QUICK).toBuffer()
  const layers = isLying
    ? await lying(await fit(thing, 640, { rotate: 24 + (seed % 40) }), surface.colour, [centre, SIDE / 2 + (seed % 90)])
    : await standing(await fit(thing, size, { shear: 0.05 * side }), surface.colour, [centre, ground])
  const whole = await (await compose(room(surface, seed, !isLying), layers)).png(QUICK).toBuffer()
  const tilted = await sharp(whole)
    .rotate(side * (1.5 + (seed % 25) / 10), { background: surface.colour })
    .png(QUICK)
    .toBuffer({ resolveWithObject: true })
  const [width, height] = FRAME
  const cut = await sharp(tilted.data)
    .extract({
      left: Math.round((tilted.info.width - width) / 2),
      top: Math.round((tilted.info.height - height) / 2) + 30,
      width,
      height,
    })
    .modulate({ saturation: 0.92, brightness: 0.97 })
    .png(QUICK)
    .toBuffer()
  return sharp(cut).composite([{ input: DARK_EDGES }])
}
