import { UnreadableFileError } from './lines.ts'
import { guessName } from './near-misses.ts'
import type { ReadOptions } from './read-options.ts'
import { shown } from './values.ts'

const TYPES = ['shop', 'category', 'carousel']
const REQUIRED = ['shop', 'handle', 'name', 'price']
const MAX_NAMED = 20
const MAX_COMPARED = 200

/** Throws `UnreadableFileError` if the first record lacks two required fields: another program wrote the file. */
export function requirePiazzaFormat(line: number, value: unknown, { shop }: ReadOptions): void {
  const fields = Object.keys(value as object)
  if ('type' in (value as object) && TYPES.includes((value as { type: string }).type)) return
  const missing = REQUIRED.filter(name => !fields.includes(name) && !(name === 'shop' && shop !== undefined))
  if (missing.length < 2) return
  const named = missing.map(name => {
    const found = fields.slice(0, MAX_COMPARED).find(field => !REQUIRED.includes(field) && guessName(field, [name]))
    return found === undefined ? name : `${name} (${shown(found)} may be it)`
  })
  const has = fields.slice(0, MAX_NAMED).map(field => field.slice(0, 40))
  throw new UnreadableFileError(
    `line ${line}: the records lack ${named.join(', ')}. They have ${has.join(', ') || 'no fields'}`,
  )
}

/** Warns once about each field, at any depth, that the import does not use. */
export function openFieldChecks(onWarning: (reason: string) => void) {
  const reported = new Set<string>()
  /** `read` is the record as parsed by the schema with these fields. */
  return (line: number, record: object, read: object, fields: string[]): void => {
    for (const { path, name, siblings } of unreadFields(record, read)) {
      const whole = path + name
      if (reported.has(whole) || reported.size >= MAX_NAMED) continue
      reported.add(whole)
      const meant = guessName(name, path === '' ? fields.filter(each => !(each in record)) : siblings)
      const hint = meant === undefined ? '' : `: if it is ${shown(path + meant)}, give it that name and import again`
      onWarning(`line ${line}: the field ${shown(whole)} is not used${hint}`)
    }
  }
}

interface Unread {
  /** Path of the parent fields, such as 'variants.'. */
  path: string
  name: string
  /** Fields of the same parent that the schema has and the record lacks. */
  siblings: string[]
}

function* unreadFields(given: unknown, read: unknown, path = ''): Generator<Unread> {
  if (Array.isArray(given) && Array.isArray(read)) {
    for (const [at, each] of given.entries()) yield* unreadFields(each, read[at], path)
  } else if (isObject(given) && isObject(read)) {
    const siblings = Object.keys(read).filter(name => !(name in given))
    for (const [name, value] of Object.entries(given)) {
      if (name in read) yield* unreadFields(value, read[name], `${path}${name}.`)
      else yield { path, name, siblings }
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
