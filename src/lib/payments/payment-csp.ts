import type { AstroGlobal } from 'astro'

/**
 * Extends the Content-Security-Policy of a page that shows the payment modal: frames from the shop itself (the
 * sandbox's modal), and scripts, frames and connections from the configured provider's hosts.
 */
export function allowPayments({ csp, locals }: Pick<AstroGlobal, 'csp' | 'locals'>): void {
  const sources = ["'self'", ...locals.settings.paymentSources]
  csp?.insertDirective(`frame-src ${sources.join(' ')}`)
  csp?.insertDirective(`connect-src ${sources.join(' ')}`)
  for (const source of sources) csp?.insertScriptResource(source)
}
