import { createHash } from 'node:crypto'
import react from '@astrojs/react'
import tailwind from '@astrojs/tailwind'
import { defineConfig } from 'astro/config'
import { stylesInPages } from './scripts/page-styles.ts'
import { previewContent } from './scripts/preview-content.ts'
import { storefront } from './scripts/storefront.ts'
import { LAYOUT_STEP } from './src/lib/layout-step.ts'
import { scriptText } from './src/lib/script-text.ts'
import { SPECULATION_RULES } from './src/lib/speculation-rules.ts'

const provider = process.env.PROVIDER_URL ?? 'http://127.0.0.1:4322'

const policy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  // Frames: pages with the payment modal allow theirs (src/lib/payments/payment-csp.ts).
  "child-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** @param {string} script @returns {`sha256-${string}`} as the Content-Security-Policy writes it */
const hashOf = script => `sha256-${createHash('sha256').update(script).digest('base64')}`

// Five bundles: what every page needs at once, what every page of a customer needs, the calls that sign in, the rest of
// the contract, and what only a customer's own pages need. Unbundled, each module would cost a request. Each bundle
// includes what its modules import.
const everyPage = {
  name: 'page',
  priority: 4,
  test: /PageScript\.astro\?astro&type=script|preload-helper/,
}
const everyCustomer = {
  name: 'customer',
  priority: 3,
  test: /src\/scripts\/(accounts\/customer|notifications\/unread-badge)\.ts/,
}
const signingIn = { name: 'auth', priority: 2, test: /\/contract\/auth\.ts/ }
const wholeContract = { name: 'rest', priority: 1, test: /src\/stores\/client\.ts|\/contract\// }
const ownPages = { name: 'own', priority: 0, test: /src\/scripts\/accounts\/dashboard-session\.ts/ }

export default defineConfig({
  output: 'server',
  outDir: process.env.DIST_DIR || './dist',
  adapter: storefront(),
  cache: { provider: { entrypoint: new URL('./src/lib/page-cache.ts', import.meta.url) } },
  security: {
    csp: {
      directives: policy,
      scriptDirective: {
        hashes: [scriptText(SPECULATION_RULES), LAYOUT_STEP].map(hashOf),
      },
      // React writes style attributes.
      styleDirective: { resources: [{ resource: "'unsafe-inline'", kind: 'attribute' }] },
    },
  },
  session: false,
  image: { endpoint: { entrypoint: './src/lib/image-endpoint.ts' } },
  markdown: { syntaxHighlight: false },
  integrations: [
    react(),
    tailwind({ applyBaseStyles: false }),
    stylesInPages(),
    previewContent(process.env.CONTENT_DIR),
  ],
  trailingSlash: 'ignore',
  // Links to the cart exist in both spellings.
  redirects: { '/Cart': '/cart' },
  build: { inlineStylesheets: 'never' },
  vite: {
    // All styles in their order; each page gets its part of them.
    build: { cssCodeSplit: false },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: { codeSplitting: { groups: [everyPage, everyCustomer, signingIn, wholeContract, ownPages] } },
          },
        },
      },
    },
    // Found only when the first carousel wakes: bundled then, they cost the page a reload.
    optimizeDeps: { include: ['swiper', 'swiper/modules'] },
    server: {
      proxy: Object.fromEntries(['/api', '/media', '/socket.io'].map(path => [path, { target: provider, ws: true }])),
    },
  },
})
