import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

const ENTRY = new URL('../src/entry.ts', import.meta.url)
const EARLY = fileURLToPath(new URL('../src/scripts/early/main.ts', import.meta.url))

/**
 * Builds the storefront for our own server, which renders a page as the result of a function (`src/entry.ts`). Adds the
 * inline script of all pages, whose hash Astro adds to the CSP, and the directives `client:touch` and
 * `client:buy`.
 */
export function storefront(): AstroIntegration {
  return {
    name: 'piazza',
    hooks: {
      async 'astro:config:setup'({ addClientDirective, command, injectScript, updateConfig }) {
        addClientDirective({ name: 'touch', entrypoint: './src/scripts/touch.ts' })
        addClientDirective({ name: 'buy', entrypoint: './src/scripts/buy.ts' })
        injectScript('head-inline', await bundleInline(EARLY))
        updateConfig({ build: { redirects: false }, vite: { plugins: [withoutSonnerStyles()] } })
        // Bundles the packages, because a few files load in half the time of hundreds. React's production build is
        // faster.
        if (command === 'build') {
          const define = { 'process.env.NODE_ENV': JSON.stringify('production') }
          updateConfig({ vite: { ssr: { noExternal: true }, environments: { ssr: { define } } } })
        }
      },
      'astro:config:done'({ setAdapter }) {
        setAdapter({
          name: 'piazza',
          entrypointResolution: 'auto',
          serverEntrypoint: ENTRY,
          adapterFeatures: { buildOutput: 'server' },
          supportedAstroFeatures: { serverOutput: 'stable', sharpImageService: 'stable' },
        })
      },
    },
  }
}

/** A TypeScript file with its imports as one minified script. */
async function bundleInline(input: string): Promise<string> {
  const { output } = await build({ input, write: false, output: { format: 'iife', minify: true } })
  return output[0].code.trim()
}

/** Removes the `<style>` element that Sonner adds on import, which the CSP forbids: we import its stylesheet. */
function withoutSonnerStyles(): Plugin {
  return {
    name: 'piazza-sonner-styles',
    transform(code, id) {
      if (!/sonner\/dist\/index\.m?js/.test(id)) return null
      const stripped = code.replace(/^__insertCSS\(.*\)\s*;?\s*$/m, '')
      if (stripped === code) this.error('sonner no longer injects its styles as expected: see scripts/storefront.ts')
      return { code: stripped, map: null }
    },
  }
}
