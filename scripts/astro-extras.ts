import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'
import { convertWhileParsing } from '../src/lib/early-prices.ts'

/** Our directive `client:touch`. */
export function touchDirective(): AstroIntegration {
  return {
    name: 'piazza-touch',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) =>
        addClientDirective({ name: 'touch', entrypoint: './src/lib/touch.ts' }),
    },
  }
}

/** Prices in the customer's currency before the first paint; Astro adds the script's hash to the CSP. */
export function earlyPrices(): AstroIntegration {
  return {
    name: 'piazza-early-prices',
    hooks: {
      'astro:config:setup': ({ injectScript }) => injectScript('head-inline', `(${convertWhileParsing.toString()})()`),
    },
  }
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
