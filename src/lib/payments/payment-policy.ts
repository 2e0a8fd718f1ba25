/** The pages that show the payment provider's modal: its scripts and frames may load there and nowhere else. */
const PAGES = ['/payment', '/order/confirm']

/**
 * A page's Content-Security-Policy with what paying needs: frames of the shop's own (the sandbox's modal), and scripts,
 * frames and answers from the hosts of the configured provider. Any other page keeps its policy.
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
