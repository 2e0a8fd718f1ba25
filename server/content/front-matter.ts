import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type * as z from 'zod'
import type { Mistake } from './mistake.ts'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m
const FIRST_LINE = 1
const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}/

/** Parses the front matter of a Markdown file; `data` is null if it has mistakes. */
export function readFrontMatter<Schema extends z.ZodType>(
  markdown: string,
  schema: Schema,
): { data: z.output<Schema> | null; mistakes: Mistake[]; lineOf: (name: string) => number } {
  const failed = (...mistakes: Mistake[]) => ({ data: null, mistakes, lineOf: () => FIRST_LINE })
  const frontMatter = FRONT_MATTER.exec(markdown)
  if (frontMatter?.index !== 0) {
    return failed({ line: FIRST_LINE, text: 'the file must start with front matter between two lines of ---' })
  }
  const lines = new LineCounter()
  const document = parseDocument(frontMatter[1] ?? '', {
    lineCounter: lines,
    prettyErrors: false,
    customTags: ['timestamp'],
  })
  // The opening --- is a line of the file, but not of the YAML.
  const lineAt = (offset: number) => lines.linePos(offset).line + 1
  if (document.errors.length > 0) {
    return failed(...document.errors.map(error => ({ line: lineAt(error.pos[0]), text: error.message })))
  }
  if (!isMap(document.contents)) {
    return failed({ line: FIRST_LINE, text: 'the front matter must be lines of name: value' })
  }
  const values = valuesOf(document)
  if (values === null) {
    return failed({ line: FIRST_LINE, text: 'the front matter refers to itself too often: write its values out' })
  }
  const read = schema.safeParse(values)
  const mistakes = findMistakes(document, read.error?.issues ?? [], lineAt)
  return {
    data: read.success && mistakes.length === 0 ? read.data : null,
    mistakes,
    lineOf: name => lineOf(document, [name], lineAt),
  }
}

/** Null if aliases (`*name`) expand beyond the parser's limit or are undefined. */
function valuesOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch {
    return null
  }
}

function findMistakes(document: Document, issues: z.core.$ZodIssue[], lineAt: (offset: number) => number): Mistake[] {
  const wrongDates = findWrongDates(document).map(({ offset, text }) => ({ line: lineAt(offset), text }))
  const wrongValues = issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({ line: lineOf(document, [key], lineAt), text: `${key} is not known here` }))
    }
    const text = `${issue.path.join('.')}${describe(issue, document.getIn(issue.path))}`
    return { line: lineOf(document, issue.path, lineAt), text }
  })
  const reportedLines = new Set(wrongDates.map(mistake => mistake.line))
  return [...wrongDates, ...wrongValues.filter(mistake => !reportedLines.has(mistake.line))]
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || value === null || value === '') return ' is missing'
  const isDate = issue.code === 'invalid_type' && issue.expected === 'date'
  return isDate ? `: ${JSON.stringify(value)} is not a date such as 2025-12-31` : `: ${issue.message}`
}

/** Finds dates that do not exist: JavaScript parses 30 February as 2 March. */
function findWrongDates(document: Document): { offset: number; text: string }[] {
  if (!isMap(document.contents)) return []
  return document.contents.items.flatMap(({ key, value }) => {
    if (!isScalar(value) || !(value.value instanceof Date)) return []
    const [written] = value.source?.match(CALENDAR_DATE) ?? []
    const isReal = !Number.isNaN(value.value.getTime()) && (!written || value.value.toISOString().startsWith(written))
    return isReal ? [] : [{ offset: value.range?.[0] ?? 0, text: `${String(key)}: there is no date ${value.source}` }]
  })
}

/** The line of the key at `path`, or of its nearest existing parent. */
function lineOf(document: Document, path: PropertyKey[], lineAt: (offset: number) => number): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true)
    const pair = isMap(parent) ? parent.items.find(item => String(item.key) === String(path[depth - 1])) : undefined
    if (isScalar(pair?.key) && pair.key.range) return lineAt(pair.key.range[0])
  }
  return FIRST_LINE
}
