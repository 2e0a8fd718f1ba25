/** The pages that show the payment modal. Only there may the provider's scripts and frames load. */
const PAGES = ['/payment', '/order/confirm']

/**
 * A page's Content-Security-Policy, extended on payment pages: frames from the shop itself (the sandbox's modal), and
 * scripts, frames and connections from the configured provider's hosts. Other pages keep their policy.
 */
export function policyFor(routePattern: string, policy: string, hosts: string[]): string {
  if (!PAGES.includes(routePattern)) return policy
  const more: Record<string, string[]> = { 'script-src': hosts, 'connect-src': hosts }
  return policy
    .split(';')
    .map(directive => directive.trim())
    .filter(Boolean)
    .map(directive => {
      const [name = ''] = directive.split(' ')
      if (name === 'frame-src') return ["frame-src 'self'", ...hosts].join(' ')
      return [directive, ...(more[name] ?? [])].join(' ')
    })
    .join('; ')
}
