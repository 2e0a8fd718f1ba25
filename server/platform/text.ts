import sanitizeHtml from 'sanitize-html'

const SHOWN: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'ul',
    'ol',
    'li',
    'strong',
    'em',
    'b',
    'i',
    'h3',
    'h4',
    'a',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['https'],
  allowProtocolRelative: false,
  nestingLimit: 20,
  exclusiveFilter: ({ tag, text }) => tag === 'p' && text.trim() === '',
  transformTags: {
    // The page has its own first and second headings.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    div: 'p',
    a: (tagName, { href = '' }): sanitizeHtml.Tag => ({
      tagName,
      attribs: /^https:\/\//i.test(href.trim()) ? { href: href.trim(), rel: 'nofollow noopener' } : {},
    }),
  },
}

/** The parser's time grows with the square of the tags that are left open: these many take it a fifth of a second. */
export const MOST_HTML_TAGS = 10_000

const TAG = /<\/?[a-z][^<>]*>/i

export function hasTooManyTags(html: string): boolean {
  return (html.match(/<[/a-z]/gi)?.length ?? 0) > MOST_HTML_TAGS
}

/**
 * A seller's text as the small safe set of HTML that pages may show: paragraphs, lists, small headings, tables, emphasis
 * and https links. Text without tags becomes paragraphs. Sanitising again changes nothing.
 */
export function sanitise(html: string): string {
  const text = html.trim()
  if (text === '') return ''
  const shown = settle(TAG.test(text) ? text : paragraphs(text))
  // Only what was taken out had tags.
  return TAG.test(shown) || shown === '' ? shown : settle(paragraphs(shown))
}

// Closing what was left open can make new nesting: a second round sees what browsers will see.
function settle(html: string): string {
  const once = sanitizeHtml(html, SHOWN).trim()
  return sanitizeHtml(once, SHOWN).trim()
}

function paragraphs(text: string): string {
  const blocks = text.split(/(?:\r?\n[ \t]*){2,}/)
  return blocks.map(block => `<p>${block.trim().replace(/\r?\n/g, '<br />')}</p>`).join('')
}
