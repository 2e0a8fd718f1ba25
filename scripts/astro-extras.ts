import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'

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
