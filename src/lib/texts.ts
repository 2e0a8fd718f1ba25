/** Created at its first use: browsers rarely need it. */
let characters: Intl.Segmenter | undefined

/** The first `length` characters, with '...' if something was cut. Never splits a grapheme. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  characters ??= new Intl.Segmenter('en')
  let count = 0
  // Stops at the cut: a description may have a hundred thousand characters.
  for (const { index } of characters.segment(text)) {
    if (count === length) return `${text.slice(0, index).trimEnd()}...`
    count += 1
  }
  return text
}
