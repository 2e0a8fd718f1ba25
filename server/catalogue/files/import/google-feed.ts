import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { columnsOf, guessColumn } from './columns.ts'
import { type Column, GOOGLE } from './google-columns.ts'
import type { Item } from './google-item.ts'
import { UnreadableFileError } from './lines.ts'
import { openWarnings, type ReadOptions } from './read-options.ts'
import { shown } from './values.ts'

/** An element that holds one attribute of an item. */
interface Field {
  name: string
  text: string
}

interface OpenItem {
  line: number
  depth: number
  /** The texts of each column, and whether they are in Google's namespace. */
  columns: Map<Column, { texts: string[]; isGoogle: boolean }>
  unused: string[]
  size: number
  /** Why the item cannot be used. */
  fault?: string
}

const GOOGLE_NAMESPACE = 'http://base.google.com/ns/1.0'
const ROOTS = ['rss', 'feed', 'RDF']
const ITEMS = ['item', 'entry']
/** Elements of Atom that stand for an attribute, and elements of RSS and Atom that are ignored (null). */
const PLAIN = new Map<string, Column | null>([
  ['summary', 'description'],
  ['content', 'description'],
  ...['category', 'guid', 'author', 'comments', 'enclosure', 'source'].map(name => [name, null] as const),
  ...['pubDate', 'updated', 'published', 'rights'].map(name => [name, null] as const),
])

const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 1000
const MAX_PREFIXES = 100
const MAX_UNUSED = 20
const MAX_ITEM_LENGTH = 1024 * 1024
/** Memory for a text besides its characters, counted in characters. */
const ELEMENT = 8
/** Maximum length of one tag, comment or text, in characters. */
const MAX_PART_LENGTH = 16 * 1024 * 1024
const PIECE = 16 * 1024
const AT_ONCE = 64 * 1024

/**
 * The items of a product feed as RSS or Atom. Entities that the file declares are not expanded, and nothing that it
 * refers to is loaded. Throws `UnreadableFileError` if the file is no feed or ends too early.
 */
export async function* feedItems(chunks: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<Item> {
  const feed = openFeed(options)
  let characters = 0
  for await (const text of textsOf(chunks, feed)) {
    for (const piece of piecesOf(text)) {
      feed.write(piece)
      yield* feed.takeItems()
      characters += piece.length
      if (characters < AT_ONCE) continue
      characters = 0
      // Lets requests run, because the import does not pause otherwise until it stores a product.
      await setImmediate()
    }
  }
  feed.end()
}

async function* textsOf(chunks: AsyncIterable<Buffer>, { line }: { line: () => number }): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new UnreadableFileError(`after line ${line()}: the text is not UTF-8`)
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}

/** The lines of a text; long lines in parts. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0, length = 0; from < text.length; from += length) {
    const piece = text.slice(from, from + PIECE)
    length = piece.indexOf('\n') + 1 || piece.length
    yield piece.slice(0, length)
  }
}

function openFeed(options: ReadOptions) {
  const googlePrefixes = new Set(['g'])
  const items: Item[] = []
  const close = openClosing(options)
  let line = 1
  let depth = 0
  let length = 0
  let attributeCount = 0
  let hasRoot = false
  /** The index at which the latest opening tag ends. */
  let openedAt = -1
  let item: OpenItem | null = null
  let field: Field | null = null

  function fail(reason: string): never {
    throw new UnreadableFileError(`line ${line}: ${reason}`)
  }

  function addText(text: string): void {
    if (!item || !field) return
    if (grow(item, text.length)) field.text += text
  }

  /** Handles an opening tag outside of items. */
  function openOutside(name: string, attributes: Record<string, string>): void {
    for (const prefix of prefixesOf(attributes)) googlePrefixes.add(prefix)
    if (googlePrefixes.size > MAX_PREFIXES) fail(`Google’s namespace has more than ${MAX_PREFIXES} prefixes`)
    if (ITEMS.includes(splitName(name).local)) item = { line, depth, columns: new Map(), unused: [], size: 0 }
  }

  /** Handles a closing tag in an item, or of the item itself. */
  function closeIn(open: OpenItem, name: string): void {
    if (depth === open.depth) {
      const closed = close(open)
      if (closed) items.push(closed)
      item = null
    } else if (field && depth === open.depth + 1) {
      addField(open, field, googlePrefixes)
      field = null
    } else addText(`</${name}>`)
  }

  const parser = new Parser(
    {
      onattribute() {
        attributeCount += 1
        if (attributeCount > MAX_ATTRIBUTES) fail(`a tag has more than ${MAX_ATTRIBUTES} attributes`)
      },
      onopentag(name, attributes) {
        length = 0
        attributeCount = 0
        openedAt = parser.endIndex
        depth += 1
        if (depth > MAX_DEPTH) fail(`elements are nested more than ${MAX_DEPTH} deep`)
        if (depth === 1) checkRoot(name)
        hasRoot = true
        if (!item) openOutside(name, attributes)
        else if (field) addText(`<${name}>`)
        else {
          field = { name, text: '' }
          grow(item, name.length)
        }
      },
      onclosetag(name, isImplied) {
        length = 0
        const isSelfClosing = parser.endIndex === openedAt
        if (item && isImplied && !isSelfClosing) item.fault = `<${name.slice(0, 40)}> is not closed`
        if (item) closeIn(item, name)
        depth -= 1
      },
      ontext(text) {
        length = 0
        addText(text)
      },
      oncomment() {
        length = 0
      },
      onprocessinginstruction(_, data) {
        length = 0
        if (/^!(entity|doctype[^>]*\[)/i.test(data)) fail('the file declares entities: leave its DOCTYPE out')
      },
    },
    { xmlMode: true },
  )

  return {
    line: () => line,
    write(piece: string): void {
      length += piece.length
      parser.write(piece)
      if (length > MAX_PART_LENGTH) fail('a tag, comment or text is longer than 16 MB')
      if (piece.endsWith('\n')) line += 1
    },
    takeItems: () => items.splice(0),
    end(): void {
      if (depth > 0 || !hasRoot) fail('the file ends before its last element does')
      parser.end()
    },
  }
}

function checkRoot(name: string): void {
  if (!ROOTS.includes(splitName(name).local))
    throw new UnreadableFileError(`The file is XML, but no product feed: it begins with <${name.slice(0, 40)}>`)
}

/** Adds to the size of an item. Returns false, and marks the item as faulty, if it is too long. */
function grow(item: OpenItem, length: number): boolean {
  item.size += length + ELEMENT
  const isShort = item.size <= MAX_ITEM_LENGTH
  if (!isShort) item.fault = 'the item is longer than 1 MB'
  return isShort
}

function addField({ columns, unused }: OpenItem, { name, text }: Field, googlePrefixes: Set<string>): void {
  const { prefix, local } = splitName(name)
  const isGoogle = googlePrefixes.has(prefix)
  const plain = prefix === '' ? PLAIN.get(local) : undefined
  const column = isGoogle || prefix === '' ? (plain ?? GOOGLE.find(local)) : undefined
  if (!column || plain === null) {
    if (plain !== null && !GOOGLE.isKnown(local)) unused.push(name)
    return
  }
  const known = columns.get(column)
  if (!known || (isGoogle && !known.isGoogle)) columns.set(column, { texts: [text], isGoogle })
  else if (isGoogle === known.isGoogle) known.texts.push(text)
}

/**
 * Returns a function that completes an item, or reports it if it has a fault. Warns once about each unknown element.
 */
function openClosing(options: ReadOptions): (item: OpenItem) => Item | null {
  const warn = openWarnings(options)
  const reported = new Set<string>()
  return ({ line, columns, unused, size, fault }) => {
    if (fault !== undefined) {
      options.onLostRow(line, fault)
      return null
    }
    for (const name of unused.slice(0, MAX_UNUSED - reported.size)) {
      reported.add(name)
      const absent = columnsOf(GOOGLE).filter(column => !columns.has(column))
      const meant = guessColumn(GOOGLE, splitName(name).local, absent)
      const hint = meant === undefined ? '' : `: if it is ${shown(meant)}, give it that name and import again`
      warn(`line ${line}: the element ${shown(name)} is not used${hint}`, name)
    }
    // `additional_image_link` may be repeated: all its texts count. Of other attributes, the first one does.
    const textOf = (column: Column) => {
      const { texts = [] } = columns.get(column) ?? {}
      return column === 'pictures' ? texts.map(text => text.trim()).join() : (texts[0] ?? '')
    }
    return { line, size, get: textOf }
  }
}

function prefixesOf(attributes: Record<string, string>): string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === GOOGLE_NAMESPACE && name.startsWith('xmlns:') ? [name.slice('xmlns:'.length)] : [],
  )
}

function splitName(name: string): { prefix: string; local: string } {
  const at = name.indexOf(':')
  return at < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, at), local: name.slice(at + 1) }
}
