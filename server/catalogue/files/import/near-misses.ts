/** Words that mean the same in the headers of catalogue files. */
const SYNONYMS = [
  ['description', 'body', 'html'],
  ['stock', 'quantity', 'qty', 'inventory'],
  ['title', 'name'],
  ['picture', 'image', 'photo'],
  ['category', 'categorie', 'type'],
  ['handle', 'slug'],
  ['cost', 'price'],
]
/** Words that do not distinguish names. */
const FILLERS = new Set(['variant', 'product', 'item', 'regular', 'src', 'url', 'level', 'at', 'in', 'of', 'the'])

const MAX_LENGTH = 100

/** The known name that the name of a column or field probably means. */
export function guessName(given: string, known: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined
  const words = wordsOf(given)
  const text = lettersOf(given)
  return (
    known.find(name => words !== '' && wordsOf(name) === words) ?? known.find(name => isOneSlip(text, lettersOf(name)))
  )
}

/** The words of a name in a canonical order and spelling, without text in brackets. */
function wordsOf(name: string): string {
  const words = name
    .replace(/\(.*\)/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})/u)
    .map(word => word.replace(/(?<=...)s$/, ''))
    .map(word => SYNONYMS.find(group => group.includes(word))?.[0] ?? word)
    .filter(word => word !== '' && !FILLERS.has(word))
  return [...new Set(words)].toSorted().join(' ')
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Whether the texts differ by one typing error: a missing, extra or wrong letter, or two swapped letters. */
function isOneSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  if (shorter < 4) return false
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return Math.max(x.length, y.length) <= 1 || (x.length === 2 && x === `${y.at(1)}${y.at(0)}`)
}
