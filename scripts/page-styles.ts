import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { type AtRule, type Container, parse, type Rule } from 'postcss'

const IMPORT = /\b(?:from|import)\s*\(?\s*'([#.][^'?]+)/g
const CLASS = /\.((?:\\.|[\w-])+)/g
const NEGATION = /:not\([^()]*\)/g

/**
 * Puts into each page the part of the stylesheet that what it imports can make use of: a phone paints it a round trip
 * sooner than if it had to ask for the styles, and all of them. Astro adds their hash to the CSP.
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
            // Astro moves it to what browsers may ask for only afterwards.
            const sheet = readFileSync(new URL(style.src, server), 'utf8')
            return { type: 'inline', content: usedStyles(sheet, wordsOf(join(root, route.routeData.component))) }
          })
        }
      },
    },
  }
}

/** The rules of the sheet without those for classes that are none of the words. */
export function usedStyles(sheet: string, words: Set<string>): string {
  const styles = parse(sheet)
  styles.walkRules(rule => {
    if (isKeyframe(rule)) return
    const used = rule.selectors.filter(selector => classesOf(selector).every(name => words.has(name)))
    if (used.length === 0) rule.remove()
    else if (used.length < rule.selectors.length) rule.selectors = used
  })
  removeEmpty(styles)
  return styles.toString()
}

function removeEmpty(container: Container): void {
  for (const node of container.nodes?.slice() ?? []) {
    if (node.type !== 'atrule' || !node.nodes) continue
    removeEmpty(node)
    if (node.nodes.length === 0) node.remove()
  }
}

function isKeyframe({ parent }: Rule): boolean {
  return parent?.type === 'atrule' && (parent as AtRule).name.endsWith('keyframes')
}

function classesOf(selector: string): string[] {
  const names = selector.replace(NEGATION, '').matchAll(CLASS)
  return [...names].map(([, name = '']) => name.replaceAll(/\\(.)/g, '$1'))
}

/** All that may be the name of a class in a source file and in what it imports, then or later. */
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
