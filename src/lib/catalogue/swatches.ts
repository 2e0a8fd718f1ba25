import { isColour, type Variant } from '#contract/variants.ts'
import { pictureAt } from '../media.ts'

/** CSS colours for shops' names of colours that CSS does not know itself. */
const SHADES: Record<string, string> = {
  amber: '#ffbf00',
  apricot: '#fbceb1',
  berry: '#8e2a5b',
  blush: '#f3c6c0',
  brick: '#a63c2e',
  bronze: '#a97142',
  burgundy: '#6d0f2a',
  camel: '#c19a6b',
  charcoal: '#36454f',
  cherry: '#9e1b32',
  chestnut: '#7b3f2a',
  clay: '#b66a50',
  cobalt: '#0047ab',
  copper: '#b87333',
  cream: '#fff4d6',
  denim: '#3b5b85',
  ecru: '#d8cbaa',
  ember: '#d4502a',
  emerald: '#1f8a55',
  fern: '#4f7942',
  forest: '#1f4d2c',
  garnet: '#733635',
  grape: '#5b2a6e',
  graphite: '#41424c',
  ink: '#1f2a44',
  jade: '#2f9c77',
  lagoon: '#2b8c9e',
  lemon: '#f7e04b',
  lilac: '#c8a2c8',
  mint: '#a8dcc0',
  moss: '#5d6b3a',
  mustard: '#d2a11f',
  natural: '#e6d8bd',
  night: '#171c33',
  nude: '#e3bc9a',
  ocean: '#1e5f84',
  oxblood: '#4a0f14',
  peach: '#ffcba4',
  petrol: '#0f4c5c',
  poppy: '#d93a2b',
  robin: '#a0d8d6',
  rose: '#e0a1a8',
  ruby: '#9b1b46',
  rust: '#a5482a',
  sage: '#9caf88',
  sand: '#d8c3a0',
  sapphire: '#1d4fa3',
  sky: '#87bfe0',
  slate: '#5f6b78',
  steel: '#7f8a94',
  stone: '#b3ab9d',
  terracotta: '#c8694b',
}
const CSS_NAMES = new Set(
  `aqua aquamarine azure beige black blue brown chocolate coral cornflowerblue crimson cyan darkblue darkgreen darkgrey
  darkgray darkred fuchsia gold goldenrod gray green grey hotpink indigo ivory khaki lavender lightblue lightgreen
  lightgrey lightgray lightpink lime linen magenta maroon midnightblue navy olive orange orchid pink plum purple red
  royalblue salmon seagreen sienna silver skyblue steelblue tan teal tomato turquoise violet wheat white yellow`.split(
    /\s+/,
  ),
)

/**
 * How the values of a product's colour option are shown: by their pictures' URLs if each colour has its own picture,
 * otherwise as CSS colours if the names are known.
 */
export function swatchesOf(variants: Variant[]): Record<string, string> {
  const colours = new Map(
    variants.flatMap(({ options, image }) =>
      Object.entries(options).flatMap(([name, value]): [string, string | undefined][] =>
        isColour(name) ? [[value, image]] : [],
      ),
    ),
  )
  const pictures = new Set(colours.values())
  const haveOwn = pictures.size === colours.size && !pictures.has(undefined)
  return Object.fromEntries(
    [...colours].flatMap(([value, image]) => {
      const look = haveOwn && image ? pictureAt(image, 160) : cssColour(value)
      return look ? [[value, look]] : []
    }),
  )
}

/** The CSS colour of a name such as 'Light Blue' or 'Sand'; undefined if it is unknown. */
export function cssColour(name: string): string | undefined {
  const word = name.toLowerCase().replaceAll(/[\s-]+/g, '')
  if (CSS_NAMES.has(word)) return word
  return Object.hasOwn(SHADES, word) ? SHADES[word] : undefined
}
