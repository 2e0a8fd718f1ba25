import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { transform } from 'lightningcss'

const IMPORT = /\b(?:from|import)\s*\(?\s*'([#.][^'?]+)/g
const CLASS = /\.((?:\\.|[\w-])+)/g
/** Class names that are kept: lightningcss does not know these properties, and would drop their declarations, too. */
const PROPERTIES = new Set(['border-collapse'])

/**
 * Inlines the part of the stylesheet that a page and its imports use: a phone paints the page one round trip earlier
 * than with an external stylesheet. Astro adds the hash of the styles to the CSP.
 */
export function stylesInPages(): AstroIntegration {
  let root = ''
  let server: URL
  return {
    name: 'piazza-styles-in-pages',
    hooks: {
      'astro:config:done': ({ config }) => {
        root = fileURLToPath(config.root)
        server = config.build.server
      },
      'astro:build:ssr': ({ manifest }) => {
        for (const route of manifest.routes) {
          route.styles = route.styles.map(style => {
            if (style.type !== 'external' || route.routeData.type !== 'page') return style
            // Astro moves the stylesheet to the client folder only later.
            const sheet = readFileSync(new URL(style.src, server), 'utf8')
            return { type: 'inline', content: usedStyles(sheet, wordsOf(join(root, route.routeData.component))) }
          })
        }
      },
    },
  }
}

/** The stylesheet without the rules for classes that are not among `words`. */
export function usedStyles(sheet: string, words: Set<string>): string {
  const classes = [...sheet.matchAll(CLASS)].map(([, name = '']) => name.replaceAll(/\\(.)/g, '$1'))
  const unusedSymbols = classes.filter(name => !words.has(name) && !PROPERTIES.has(name))
  return transform({ filename: 'page.css', code: Buffer.from(sheet), minify: true, unusedSymbols }).code.toString()
}

/** All words of a source file and its imports, static or dynamic, that may be class names. */
function wordsOf(file: string, seen = new Set<string>()): Set<string> {
  const words = new Set<string>()
  if (seen.has(file)) return words
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  for (const word of source.split(/[\s"'`]+/)) words.add(word)
  for (const [, path = ''] of source.matchAll(IMPORT)) {
    const imported = path.startsWith('#') ? fileURLToPath(import.meta.resolve(path)) : join(dirname(file), path)
    if (/\.(astro|tsx?)$/.test(imported) && !path.startsWith('#contract/')) {
      for (const word of wordsOf(imported, seen)) words.add(word)
    }
  }
  return words
}
