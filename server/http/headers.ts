/** Headers in the order in which they are sent. */
export type RawHeaders = [name: string, value: string][]

const YEAR_SECONDS = 31_536_000

/** The security headers of every response. Astro adds the Content-Security-Policy to each page. */
export function securityHeaders({ publicUrl }: { publicUrl: string }): RawHeaders {
  const headers: RawHeaders = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    // A payment provider's popup must be able to message the page that opened it.
    ['cross-origin-opener-policy', 'same-origin-allow-popups'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()'],
  ]
  if (publicUrl.startsWith('https:')) {
    headers.push(['strict-transport-security', `max-age=${YEAR_SECONDS}; includeSubDomains`])
  }
  return headers
}
