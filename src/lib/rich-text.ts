import sanitize from 'sanitize-html'

const HEADINGS = ['h1', 'h2', 'h4', 'h5', 'h6']

const ALLOWED = 'p br h3 ul ol li blockquote strong b em i u s sub sup a table thead tbody tr th td'.split(' ')

const SAFE: sanitize.IOptions = {
  allowedTags: ALLOWED,
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 20,
  // The page's heading above the text is an h2, so the seller's headings must have lower levels.
  transformTags: {
    ...Object.fromEntries(HEADINGS.map(name => [name, 'h3'])),
    a: (_, { href }) => ({ tagName: 'a', attribs: { ...(href ? { href } : {}), rel: 'nofollow ugc noopener' } }),
  },
}

/** Sanitises a seller's HTML. In plain text, blank lines become paragraphs. */
export function safeHtml(source: string): string {
  const html = /<[a-z]/i.test(source) ? source : paragraphs(source)
  return sanitize(html, SAFE).replace(/<(p|h3|li)>\s*<\/\1>/g, '')
}

function paragraphs(text: string): string {
  const blocks = text.split(/\n\s*\n/).filter(block => block.trim() !== '')
  return blocks.map(block => `<p>${block.trim().replace(/\n/g, '<br>')}</p>`).join('')
}
