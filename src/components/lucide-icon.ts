import { createComponent, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime'

interface IconData {
  name: string
  aliases?: string[]
  node: [tag: string, attributes: Record<string, unknown>][]
}

const DRAWN = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 2,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
}
const NAMED = /^(aria-|role$|title$)/

/**
 * Stands in for what makes lucide's components (scripts/astro-speed.ts): the same markup, put together once for each
 * set of attributes. Icons here have a class and plain attributes; nothing is inside them.
 */
export function lucideIcon(icon: IconData) {
  const inside = icon.node.map(([tag, attributes]) => `<${tag}${spreadAttributes(attributes)}></${tag}>`).join('')
  const known = new Map<string, unknown>()
  return createComponent(
    (_result, props: Record<string, unknown>) => {
      const key = JSON.stringify(props)
      const drawn = known.get(key) ?? unescapeHTML(`<svg${spreadAttributes(attributesOf(icon, props))}>${inside}</svg>`)
      known.set(key, drawn)
      return drawn as never
    },
    undefined,
    'none',
  )
}

function attributesOf({ name, aliases = [] }: IconData, { class: classes, ...rest }: Record<string, unknown>) {
  const names = ['lucide', ...[name, ...aliases].map(each => `lucide-${each}`), classes].filter(Boolean)
  const isNamed = Object.keys(rest).some(attribute => NAMED.test(attribute))
  return { ...DRAWN, class: names.join(' '), ...(!isNamed && { 'aria-hidden': 'true' }), ...rest }
}
