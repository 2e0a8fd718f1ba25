import sanitizeHtml from 'sanitize-html'

const SHOWN_TAGS = 'p br ul ol li strong em b i u s h3 h4 a blockquote table thead tbody tr th td'.split(' ')

/** Blocks that are shown as paragraphs, so that their texts stay apart. */
const PARAGRAPHS = (
  'div section article aside header footer main nav address center pre figure figcaption dl dt dd form fieldset legend ' +
  'details summary'
).split(' ')

const DIGITS: Record<string, string> = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻', sub: '₀₁₂₃₄₅₆₇₈₉₊₋₋' }

const SHOWN: sanitizeHtml.IOptions = {
  allowedTags: SHOWN_TAGS,
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['https'],
  allowProtocolRelative: false,
  nestingLimit: 20,
  exclusiveFilter: ({ tag, text }) => tag === 'p' && text.trim() === '',
  transformTags: {
    // The page itself has headings of level 1 and 2.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    ...Object.fromEntries(PARAGRAPHS.map(name => [name, 'p'])),
    hr: 'br',
    del: 's',
    strike: 's',
    a: (tagName, { href = '' }): sanitizeHtml.Tag => ({
      tagName,
      attribs: /^https:\/\//i.test(href.trim()) ? { href: href.trim(), rel: 'nofollow noopener' } : {},
    }),
  },
  // Cards and the search use the text without tags: 10<sup>3</sup> would be 103 or 10 3 there.
  textFilter: (text, tag) => replaceDigits(text, DIGITS[tag]),
}

/** The parser's time grows with the square of the number of unclosed tags: this many take 0.2 s. */
export const MAX_HTML_TAGS = 10_000

const TAG = /<\/?[a-z][^<>]*>/i
const TAGS = new RegExp(TAG, 'gi')
const BLOCKS = [...PARAGRAPHS, ...'p ul ol li table caption thead tbody tfoot tr th td blockquote hr h[1-6]'.split(' ')]
const BLOCK_TAG = new RegExp(`(</?(?:${BLOCKS.join('|')})\\b[^<>]*>)`, 'i')
/** Blocks whose text is not divided into paragraphs. */
const LINES_TAG = /^<(?:li|th|td|h[1-6])\b/i

export function hasTooManyTags(html: string): boolean {
  return (html.match(/<[/a-z]/gi)?.length ?? 0) > MAX_HTML_TAGS
}

/**
 * Reduces a seller's text to the safe HTML that pages may show: paragraphs, lists, h3 and h4, tables, quotes,
 * emphasis and https links. Text without tags is split into paragraphs. Sanitising the result again changes nothing.
 */
export function sanitise(html: string): string {
  const text = html.trim()
  if (text === '') return ''
  const shown = sanitiseTwice(TAG.test(text) ? text : paragraphs(text))
  // All tags were removed: plain text is left.
  return TAG.test(shown) || shown === '' ? shown : sanitiseTwice(paragraphs(shown))
}

// Closing unclosed tags can change the nesting: the second pass sees the same nesting as browsers.
function sanitiseTwice(html: string): string {
  const once = sanitizeHtml(html, SHOWN).trim()
  return sanitizeHtml(once, SHOWN).trim()
}

/** Adds tags for blank lines and line breaks to WordPress's HTML, as WordPress does whenever it shows such a text. */
export function addParagraphs(html: string): string {
  const parts = html.replace(TAGS, tag => tag.replace(/\s+/g, ' ')).split(BLOCK_TAG)
  return parts
    .map((part, at) => {
      if (at % 2 === 1 || part.trim() === '') return part
      return LINES_TAG.test(parts[at - 1] ?? '') ? addBreaks(part) : paragraphs(part)
    })
    .join('')
}

function paragraphs(text: string): string {
  const blocks = text.split(/(?:\r?\n[ \t]*){2,}/)
  return blocks.map(block => `<p>${addBreaks(block)}</p>`).join('')
}

function addBreaks(text: string): string {
  return text.trim().replace(/\r?\n/g, '<br />')
}

/** Replaces digits and signs, if the text has nothing else. */
function replaceDigits(text: string, digits: string | undefined): string {
  if (!digits || !/^[\d+\-−]+$/.test(text)) return text
  return text.replace(/./g, each => digits['0123456789+-−'.indexOf(each)] ?? each)
}
