/** The lookahead finds the closing bracket first: without one, backtracking would take too long. */
const MARKDOWN = /!?\[([^\]]*)\]\((?=[^)]*\))\s*<?([^\s)>]*)>?[^)]*\)/g
/** Addresses such as `shop dot com`, spelled for people and not for browsers. */
const SPELLED =
  /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\s*(?:\[\.\]|\(\.\)|[[({]\s*dot\s*[\])}])\s*\p{L}{2,}|\s+\.\s*\p{L}{2,}|\s+dot\s+(?:com?|net|org|shop|store|info|io|me|xyz|online|site|app|link|biz)\b)/giu
/**
 * Everything that a person or a browser could follow: URLs of any scheme, bare domains, email addresses, IP addresses.
 */
const LINK =
  /(?:[a-z][a-z0-9+.-]*:\/{1,}|(?:javascript|data|vbscript|mailto|tel|sms|file|blob):(?=\S)|\/\/(?=[\p{L}\p{N}]))[^\s<>"'`]*|(?:[\p{L}\p{N}._%+-]+@)?(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:xn--[a-z0-9-]+|\p{L}{2,})(?::\d+)?(?:[/?#][^\s<>"'`]*)?|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:\/[^\s<>"'`]*)?/giu
const TRAILING = /[.,;:!?)\]}’”*_]+$/u

/** Removes all links except those to the shop itself; keeps the text of Markdown links. */
export function withOwnLinks(text: string, publicUrl: string): string {
  const { origin, host } = new URL(publicUrl)
  const spelled = text.replace(MARKDOWN, (_, words: string, target: string) => `${words} ${target}`)
  // Browsers treat the ideographic full stop as a dot.
  const cleaned = spelled
    .replaceAll('\u3002', '.')
    .replace(SPELLED, '')
    .replace(LINK, found => {
      const trailing = TRAILING.exec(found)?.[0] ?? ''
      const link = found.slice(0, found.length - trailing.length)
      return isOwn(link, origin, host) ? found : trailing.replace(/[^.,;:!?]/gu, '')
    })
  return cleaned
    .replace(/\(\s*\)|\[\s*\]|<\s*>/g, '')
    .replace(/[ \t]+([.,;:!?])/g, '$1')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/^[ \t]+|[ \t]+$/gm, '')
}

function isOwn(link: string, origin: string, host: string): boolean {
  const address = link.startsWith(`${host}/`) || link === host ? `${new URL(origin).protocol}//${link}` : link
  const url = URL.canParse(address) ? new URL(address) : null
  return url?.origin === origin && url.username === '' && url.password === '' && !url.pathname.startsWith('//')
}
