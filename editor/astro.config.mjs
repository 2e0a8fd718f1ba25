import react from '@astrojs/react'
import keystatic from '@keystatic/astro'
import { defineConfig } from 'astro/config'

/** The editor of policy pages: an Astro project of its own, so that none of it is part of the shop. */
export default defineConfig({
  integrations: [react(), keystatic()],
  redirects: { '/': '/keystatic' },
  devToolbar: { enabled: false },
  // Keystatic asks Google for a font; without it the system's is good enough.
  server: { headers: { 'content-security-policy': "style-src 'self' 'unsafe-inline'" } },
})
