/** Headers in the order in which they are sent. */
export type RawHeaders = [name: string, value: string][]

const YEAR_SECONDS = 31_536_000

/** What everything that the shop serves says to browsers. The Content-Security-Policy comes with each page, from Astro. */
export function securityHeaders({ publicUrl }: { publicUrl: string }): RawHeaders {
  const headers: RawHeaders = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    // A payment provider's window must be able to answer.
    ['cross-origin-opener-policy', 'same-origin-allow-popups'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()'],
  ]
  if (publicUrl.startsWith('https:')) {
    headers.push(['strict-transport-security', `max-age=${YEAR_SECONDS}; includeSubDomains`])
  }
  return headers
}
