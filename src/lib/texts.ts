import { lazily } from './lazily.ts'

const characters = lazily(() => new Intl.Segmenter('en'))

/** The first `length` characters, with '...' if something was cut. Never splits a grapheme. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  let count = 0
  // Stops at the cut: a description may have a hundred thousand characters.
  for (const { index } of characters().segment(text)) {
    if (count === length) return `${text.slice(0, index).trimEnd()}...`
    count += 1
  }
  return text
}
