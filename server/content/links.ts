import type { Site } from './site.ts'

interface Surroundings {
  /** The page that the link is on. */
  id: string
  /** The ids of each page's headings, by the page's id. */
  anchors: ReadonlyMap<string, ReadonlySet<string>>
  site: Site
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const MARKDOWN_FILE = /([^/]*)\.mdx?$/i
/** A made-up origin, which parsing relative URLs needs. */
const HERE = 'http://shop.invalid'

/** Describes what is wrong with a link's URL; null if it is valid. */
export function findLinkMistake(url: string, surroundings: Surroundings): string | null {
  if (url.trim() === '' || url === '#') return 'the link leads nowhere: put an address between its parentheses'
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase()
  if (scheme) return findExternalMistake(url, scheme)
  const file = MARKDOWN_FILE.exec(url.replace(/[?#].*$/s, ''))
  if (file) return `${url} is a file: link to its page, /${file[1]}`
  if (!/^[/#]/.test(url)) return `${url} starts neither with https:// nor with /`
  if (/^\/[/\\]/.test(url) || url.includes('\\'))
    return `${url} is no address: write https:// before another site's name`
  return findInternalMistake(url, surroundings)
}

function findExternalMistake(url: string, scheme: string): string | null {
  switch (scheme) {
    case 'https':
    case 'http':
      return URL.canParse(url) && /^https?:\/\/[^/?#]+/i.test(url) ? null : `${url} is not a complete address`
    case 'mailto':
      return /^mailto:[^@\s]+@[^@\s?]+(\?|$)/i.test(url) ? null : `${url} has no email address`
    case 'tel':
      return /^tel:\+?[\d().-]+$/i.test(url) ? null : `${url} has no telephone number`
    default:
      return `a link must not start with ${scheme}: (only https:, http:, mailto: and tel:)`
  }
}

function findInternalMistake(url: string, { id, anchors, site }: Surroundings): string | null {
  const [path = '', fragment] = url.split('#', 2)
  const pathname = decoded(new URL(path, `${HERE}/${id}`).pathname)
  const anchor = fragment === undefined ? '' : decoded(fragment)
  if (pathname === null || anchor === null) return `${url} has a % that stands for nothing`
  const plain = pathname.replace(/(?<=.)\/$/, '')
  const headings = anchors.get(plain.slice(1))
  if (headings) {
    return anchor === '' || headings.has(anchor) ? null : `${plain} has no heading with the address #${anchor}`
  }
  if (!site.canLinkTo(plain)) return `there is no page ${plain}`
  return anchor === '' ? null : `${plain} is not written in Markdown, so that nothing on it can be linked to with #`
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
