import type { AstroIntegration } from 'astro'

/** Builds pages for the process that loads them (server/pages/storefront.ts): nothing listens, and no request travels. */
export function inProcess(): AstroIntegration {
  return {
    name: 'piazza-in-process',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => void updateConfig({ build: { redirects: false } }),
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'piazza-in-process',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('../src/entry.ts', import.meta.url),
          adapterFeatures: { buildOutput: 'server', middlewareMode: 'classic' },
          supportedAstroFeatures: { serverOutput: 'stable', sharpImageService: 'stable' },
        }),
    },
  }
}
