import { hasTooManyTags, MAX_HTML_TAGS, sanitise } from '#server/platform/text.ts'
import { FieldError, LONGEST, readText } from './values.ts'

const MAX_TAGS = 250

/** Safe HTML from a text with or without tags. Throws `FieldError`. */
export function readDescription(name: string, given: string): string {
  const html = readText(name, given, LONGEST.description)
  if (hasTooManyTags(html)) throw new FieldError(`${name} holds more than ${MAX_HTML_TAGS} tags`)
  return sanitise(html)
}

/** Parses tags separated by commas. Throws `FieldError`. */
export function readTags(given: string): string[] {
  const tags = readText('Tags', given, LONGEST.extra)
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean)
  if (tags.length > MAX_TAGS) throw new FieldError(`Tags are more than ${MAX_TAGS}`)
  if (tags.some(tag => tag.length > LONGEST.tag)) throw new FieldError(`A tag is longer than ${LONGEST.tag} characters`)
  return [...new Set(tags)]
}
