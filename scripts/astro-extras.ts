import type { AstroIntegration } from 'astro'
import { minifySync, type Plugin } from 'vite'
import { holdClicks } from '../src/scripts/early-clicks.ts'
import { useKeptFont } from '../src/scripts/early-font.ts'
import { convertWhileParsing } from '../src/scripts/early-prices.ts'
import { startLate } from '../src/scripts/late-start.ts'

const EARLY = [useKeptFont, convertWhileParsing, holdClicks, startLate]

/** Our directive `client:touch`. */
export function touchDirective(): AstroIntegration {
  return {
    name: 'piazza-touch',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) =>
        addClientDirective({ name: 'touch', entrypoint: './src/scripts/touch.ts' }),
    },
  }
}

/**
 * What must be there before a page's own script: the font and prices in the customer's currency before the first paint,
 * clicks that come too early, and the start of the script itself. Astro adds the hash of all this to the CSP.
 */
export function earlyScripts(): AstroIntegration {
  return {
    name: 'piazza-early-scripts',
    hooks: {
      'astro:config:setup': ({ injectScript }) => injectScript('head-inline', EARLY.map(calling).join('')),
    },
  }
}

/** A script that calls a function which needs nothing from outside. */
function calling(work: () => void): string {
  return minifySync('early.js', `(${work.toString()})()`).code
}

/** Sonner adds a `<style>` element when it is imported, which our CSP forbids; its stylesheet is imported instead. */
export function withoutSonnerStyles(): Plugin {
  return {
    name: 'piazza-sonner-styles',
    transform(code, id) {
      if (!/sonner\/dist\/index\.m?js/.test(id)) return null
      const stripped = code.replace(/^__insertCSS\(.*\)\s*;?\s*$/m, '')
      if (stripped === code) this.error('sonner no longer injects its styles as expected: see scripts/astro-extras.ts')
      return { code: stripped, map: null }
    },
  }
}
