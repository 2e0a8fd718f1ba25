import { htmlToHast, markdownToMdast, type HastNode, type MdastNode } from 'satteri'
import type { Mistake } from './mistake.ts'

/** The parts of a Markdown file's body that are checked, with their lines. */
export interface Body {
  links: { url: string; line: number }[]
  pictures: { url: string; line: number }[]
  mistakes: Mistake[]
}

/** The HTML tags that pages may use, as Markdown has no syntax for them. They must have no attributes. */
const SHOWN_TAGS = new Set('br sub sup kbd small mark u ins del details summary'.split(' '))
const SHOWS_NOTHING = new Set(['yaml', 'definition', 'thematicBreak', 'footnoteDefinition'])
/** `[text][name]`, `[text](address)` and `[text] (address)` that the parser did not recognise as links. */
const BROKEN_LINK = /\[[^\][\n]+\](?:\[[^\][\n]*\]|\(| +\((?=[/#]|https?:|mailto:|tel:))/
const BROKEN_FOOTNOTE = /\[\^[^\][\s]+\]/
/** Marks at the beginning of a line without a space, or with one that does not break (option and space on a Mac). */
const BROKEN_MARK = /^(?:(#{2,6})[^\s#]|(#{1,6}|[-*+])\u00a0)/

/** Parses the body of a Markdown file with the parser that also renders it. */
export function readBody(markdown: string): Body {
  const nodes = [...walk(markdownToMdast(markdown))]
  const definitions = nodes.filter(node => node.type === 'definition')
  // If several have the same name, the renderer uses the first too.
  const definedUrl = (name: string) => definitions.find(({ identifier }) => identifier === name)?.url ?? ''
  const placeOf = (node: Extract<MdastNode, { url: string } | { identifier: string }>) => ({
    url: 'url' in node ? node.url : definedUrl(node.identifier),
    line: lineOf(node),
  })
  return {
    links: nodes.filter(node => node.type === 'link' || node.type === 'linkReference').map(placeOf),
    pictures: nodes.filter(node => node.type === 'image' || node.type === 'imageReference').map(placeOf),
    mistakes: [...nodes.flatMap(mistakesOf), ...findEmptyBody(nodes)],
  }
}

function mistakesOf(node: MdastNode): Mistake[] {
  const line = lineOf(node)
  switch (node.type) {
    case 'link':
    case 'linkReference':
      return hasText(node) ? [] : [{ line, text: 'the link has no text' }]
    case 'image':
    case 'imageReference':
      if (node.alt?.trim()) return []
      return [{ line, text: 'the picture has no description: ![what it shows](address)' }]
    case 'html':
      return findHtmlMistakes(node.value, line)
    case 'text':
      return [...brokenLinks(node.value, line), ...brokenFootnotes(node.value, line)]
    case 'paragraph':
      return brokenMarks(node.children)
    default:
      return []
  }
}

function findEmptyBody(nodes: MdastNode[]): Mistake[] {
  if (nodes.some(showsSomething)) return []
  const frontMatter = nodes.find(node => node.type === 'yaml')
  return [{ line: frontMatter?.position?.end.line ?? 1, text: 'there is no text below the front matter' }]
}

function lineOf(node: MdastNode): number {
  return node.position?.start.line ?? 1
}

function* walk(node: MdastNode): Generator<MdastNode> {
  yield node
  if ('children' in node) for (const child of node.children) yield* walk(child)
}

function hasText(node: MdastNode): boolean {
  return [...walk(node)].some(
    part => ('value' in part && part.value.trim() !== '') || ('alt' in part && Boolean(part.alt?.trim())),
  )
}

function showsSomething(node: MdastNode): boolean {
  if (SHOWS_NOTHING.has(node.type) || 'children' in node) return false
  if (node.type === 'html') return false
  return !('value' in node) || node.value.trim() !== ''
}

function findHtmlMistakes(html: string, line: number): Mistake[] {
  const lineAt = (part: string) => line + html.slice(0, Math.max(0, html.search(part))).split('\n').length - 1
  const mistakes: Mistake[] = []
  if (html.startsWith('<!--') && !html.includes('-->')) {
    mistakes.push({ line, text: 'the comment never ends, so that nothing after it is shown: end it with -->' })
  } else if (/^<[!?](?!--)/.test(html)) {
    mistakes.push({ line, text: `${html.slice(0, 12)}… is not shown on the page` })
  }
  for (const node of walkHtml(htmlToHast(html, { fragment: true }))) {
    if (node.type !== 'element') continue
    const { tagName, properties } = node
    const [attribute] = Object.keys(properties ?? {})
    if (!SHOWN_TAGS.has(tagName)) {
      mistakes.push({
        line: lineAt(`<${tagName}`),
        text: `<${tagName}> is not shown on the page: write it in Markdown`,
      })
    } else if (attribute) {
      mistakes.push({ line: lineAt(`<${tagName}`), text: `<${tagName}> must have no attributes (${attribute})` })
    }
  }
  return mistakes
}

function* walkHtml(node: HastNode): Generator<HastNode> {
  yield node
  if ('children' in node) for (const child of node.children) yield* walkHtml(child)
}

function brokenLinks(text: string, line: number): Mistake[] {
  return text.split('\n').flatMap((part, index) => {
    const [found] = BROKEN_LINK.exec(part) ?? []
    if (!found) return []
    const why = found.endsWith('(')
      ? 'write [text](/address) without blanks in it'
      : 'nothing below defines its address'
    return [{ line: line + index, text: `${found} is not a link: ${why}` }]
  })
}

function brokenFootnotes(text: string, line: number): Mistake[] {
  return text.split('\n').flatMap((part, index) => {
    const [found] = BROKEN_FOOTNOTE.exec(part) ?? []
    if (!found) return []
    const why = `write it without \\, and its text below, after ${found}:`
    return [{ line: line + index, text: `${found} is not a footnote: ${why}` }]
  })
}

function brokenMarks(parts: MdastNode[]): Mistake[] {
  return parts.flatMap((node, position) => {
    if (node.type !== 'text') return []
    return node.value.split('\n').flatMap((part, index) => {
      const isLineStart = index > 0 || position === 0
      const [, ...marks] = (isLineStart && BROKEN_MARK.exec(part)) || []
      const mark = marks.find(Boolean)
      if (!mark) return []
      const made = mark.startsWith('#') ? 'heading' : 'list'
      return [{ line: lineOf(node) + index, text: `${mark} makes no ${made}: write an ordinary space after it` }]
    })
  })
}
