import { addParagraphs, hasTooManyTags, MAX_HTML_TAGS, sanitise } from '#server/platform/text.ts'
import { FieldError, MAX_LENGTHS, readText } from './values.ts'

const MAX_TAGS = 250

/**
 * Safe HTML from a text with or without tags. In WordPress's HTML, blank lines and line breaks count, too. Throws
 * `FieldError`.
 */
export function readDescription(name: string, given: string, { isWordPress = false } = {}): string {
  const html = readText(name, given, MAX_LENGTHS.description)
  if (hasTooManyTags(html)) throw new FieldError(`${name} holds more than ${MAX_HTML_TAGS} tags`)
  return sanitise(isWordPress ? addParagraphs(html) : html)
}

/** Parses tags separated by commas. Throws `FieldError`. */
export function readTags(given: string): string[] {
  const tags = readText('Tags', given, MAX_LENGTHS.extra)
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean)
  if (tags.length > MAX_TAGS) throw new FieldError(`There are more than ${MAX_TAGS} tags`)
  if (tags.some(tag => tag.length > MAX_LENGTHS.tag))
    throw new FieldError(`A tag is longer than ${MAX_LENGTHS.tag} characters`)
  return [...new Set(tags)]
}
