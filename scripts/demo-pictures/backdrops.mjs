export const TINTS = {
  sand: '#eadfcb',
  sage: '#d5e0d0',
  sky: '#d3e1ee',
  blush: '#f3dcda',
  lilac: '#e2dbf0',
  mist: '#dfe4ea',
  butter: '#f6ebc4',
  mint: '#cfe6dc',
  peach: '#f8dcc6',
  stone: '#ded9d2',
  ink: '#2c3547',
  moss: '#45564a',
  plum: '#523c52',
  clay: '#c48e70',
}

/** Tints for a product's second view. */
export const SECOND = ['sand', 'sage', 'sky', 'blush', 'lilac', 'mist', 'butter', 'mint', 'peach', 'stone']

export const hex = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16))
export const mix = (colour, other, share) => {
  const parts = hex(colour).map((part, i) => Math.round(part + (hex(other)[i] - part) * share))
  return `#${Buffer.from(parts).toString('hex')}`
}
const isDark = colour => hex(colour).reduce((sum, part) => sum + part) < 330
export const shadowOf = tint => (isDark(tint) ? '#05070c' : mix(tint, '#2a2233', 0.78))

export const svg = (width, height, body) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`)

/** A photo studio's backdrop: wall and floor of one tint without a visible edge, lit from above. */
export const cove = (tint, width = 1280, height = 1280, light = [0.5, 0.42]) => {
  const glow = isDark(tint) ? 0.2 : 0.75
  return svg(
    width,
    height,
    `<defs>
    <linearGradient id="w" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${mix(tint, '#000000', 0.03)}"/>
      <stop offset=".6" stop-color="${tint}"/><stop offset=".72" stop-color="${mix(tint, '#ffffff', 0.12)}"/>
      <stop offset="1" stop-color="${mix(tint, '#000000', 0.04)}"/></linearGradient>
    <radialGradient id="l" cx="${light[0]}" cy="${light[1]}" r=".62"><stop offset="0" stop-color="#fff" stop-opacity="${glow}"/>
      <stop offset=".55" stop-color="#fff" stop-opacity="${glow * 0.35}"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    </defs><rect width="100%" height="100%" fill="url(#w)"/><rect width="100%" height="100%" fill="url(#l)"/>`,
  )
}

/** A table seen from above, with light from one corner. */
export const tabletop = tint =>
  svg(
    1280,
    1280,
    `<defs>
  <linearGradient id="t" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${mix(tint, '#ffffff', isDark(tint) ? 0.14 : 0.5)}"/>
    <stop offset=".55" stop-color="${tint}"/><stop offset="1" stop-color="${mix(tint, '#000000', 0.07)}"/></linearGradient>
  </defs><rect width="100%" height="100%" fill="url(#t)"/>`,
  )
