import type { AstroIntegration } from 'astro'
import { minifySync, type Plugin } from 'vite'
import { holdClicks } from '../src/scripts/early-clicks.ts'
import { useKeptFont } from '../src/scripts/early-font.ts'
import { convertWhileParsing } from '../src/scripts/early-prices.ts'
import { startLate } from '../src/scripts/late-start.ts'

const EARLY = [useKeptFont, convertWhileParsing, holdClicks, startLate]

/** Adds the directive `client:touch`. */
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
 * Inline scripts that run before a page's own script: they set the font and convert prices before the first paint, hold
 * early clicks, and start the page's script. Astro adds their hash to the CSP.
 */
export function earlyScripts(): AstroIntegration {
  return {
    name: 'piazza-early-scripts',
    hooks: {
      'astro:config:setup': ({ injectScript }) => injectScript('head-inline', EARLY.map(calling).join('')),
    },
  }
}

/** A minified script that calls a function; the function must not use anything from outside. */
function calling(work: () => void): string {
  return minifySync('early.js', `(${work.toString()})()`).code
}

/** Removes the `<style>` element that Sonner adds on import, which the CSP forbids: we import its stylesheet. */
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
