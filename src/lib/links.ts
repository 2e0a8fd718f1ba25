/** A link that somebody else wrote, if it leads to a page of ours or of the web; nothing that runs (`javascript:`). */
export function safeLink(link: string | undefined): string | undefined {
  if (!link) return undefined
  const url = URL.parse(link, 'https://self.invalid')
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.host === 'self.invalid' ? url.pathname + url.search + url.hash : url.href
}
