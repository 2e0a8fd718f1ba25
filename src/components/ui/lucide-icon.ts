import { createComponent, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime'

interface IconData {
  node: [tag: string, attributes: Record<string, unknown>][]
}

const NAMED = /^(aria-|role$|title$)/

/**
 * Replaces the function that creates lucide's components (see scripts/astro-speed.ts). It draws the same icons, but
 * caches the markup per set of attributes and leaves stroke styles to base.css instead of repeating them in each of a
 * page's forty icons. Icons take a class and plain attributes, no children.
 */
export function lucideIcon(icon: IconData) {
  const inside = icon.node.map(([tag, attributes]) => `<${tag}${spreadAttributes(attributes)}></${tag}>`).join('')
  const known = new Map<string, unknown>()
  return createComponent(
    (_result, props: Record<string, unknown>) => {
      const key = JSON.stringify(props)
      const drawn = known.get(key) ?? unescapeHTML(`<svg${spreadAttributes(attributesOf(props))}>${inside}</svg>`)
      known.set(key, drawn)
      return drawn as never
    },
    undefined,
    'none',
  )
}

function attributesOf(props: Record<string, unknown>) {
  const isNamed = Object.keys(props).some(attribute => NAMED.test(attribute))
  return { viewBox: '0 0 24 24', ...(!isNamed && { 'aria-hidden': 'true' }), ...props }
}
