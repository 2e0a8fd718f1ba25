/** Returns a link written by a seller or editor if it is http(s) or a path; undefined otherwise (`javascript:`). */
export function safeLink(link: string | undefined): string | undefined {
  if (!link) return undefined
  const url = URL.parse(link, 'https://self.invalid')
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.host === 'self.invalid' ? url.pathname + url.search + url.hash : url.href
}
