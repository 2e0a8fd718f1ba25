const MAX_WORDS = 8
const MAX_LETTERS = 40

const LETTERS: Record<string, string> = { ё: 'е', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' }
const SHORT_UNITS = 'mm cm m km in ft mg g kg oz lb ml cl l mb gb tb mah wh w kw v hz ct lm db'.split(' ')
const LONG_UNITS =
  'millimetre=mm millimeter=mm centimetre=cm centimeter=cm metre=m meter=m kilometre=km kilometer=km inch=in inche=in ' +
  'foot=ft feet=ft gram=g gramme=g kilo=kg kilogram=kg ounce=oz pound=lb millilitre=ml milliliter=ml litre=l liter=l ' +
  'watt=w volt=v carat=ct lumen=lm gigabyte=gb terabyte=tb'
const UNITS: Record<string, string> = Object.fromEntries([
  ...SHORT_UNITS.map(unit => [unit, unit]),
  ...LONG_UNITS.split(' ').map(unit => unit.split('=')),
])
const QUANTITY = /^(\d+(?:p\d+)?)([a-z]*)$/
/** Everything except letters, their marks, digits and NUL. */
const SEPARATORS = /[^\p{L}\p{M}\p{N}\0]+/u

/** A text in the form of `search_fold` (migration 0018): lower case, without apostrophes and accents. */
function fold(text: string): string {
  return withoutAccents(text.toLowerCase().replaceAll(/['’]/g, '')).replaceAll(
    /[\u3041-\u30ff\u3400-\u9fff]+/g,
    run => ` ${Array.from(run).join('\u0000')} `,
  )
}

/** Lower-cases a text and removes the accents of its letters. */
export function withoutAccents(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/([a-z])[\u0300-\u036f]+/gi, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[ёøłđıßæœ]/g, letter => LETTERS[letter] ?? letter)
}

export interface TypedWord {
  word: string
  /** Equal for words that were typed without a space between them. */
  chunk: number
}

/**
 * The words of a search in the form of `search_plain` (migration 0018): '26 cm' and '26cm' become the same word. Words
 * that were typed without a space between them have the same `chunk`. Chinese and Japanese words have a NUL between
 * characters.
 */
export function wordsOf(search: string): TypedWord[] {
  const folded = fold(search)
    .replaceAll(/(\d),(\d{3})(?!\d)/g, '$1$2')
    .replaceAll(/(\d)\s?["″”]/g, '$1in ')
    .replaceAll(/(\d|\din)\s?[x×]\s?(?=\d)/g, '$1 ')
    .replaceAll(/(\d)\.(\d)/g, '$1p$2')
  const parts = folded.split(/\s+/).flatMap((chunk, at) =>
    chunk
      .split('\u0000')
      .map(part => part.split(SEPARATORS).filter(Boolean))
      .reduce(
        (words, next) =>
          words.length > 0 && next.length > 0
            ? [...words.slice(0, -1), `${words.at(-1)}\u0000${next[0]}`, ...next.slice(1)]
            : [...words, ...next],
        [],
      )
      .map(word => ({ word, chunk: at })),
  )
  const words: TypedWord[] = []
  for (const { word, chunk } of parts) {
    const before = words.at(-1)
    const unit = UNITS[word] ?? UNITS[word.replace(/s$/, '')]
    const [, number, attached = ''] = QUANTITY.exec(word) ?? []
    const short = UNITS[attached] ?? UNITS[attached.replace(/s$/, '')]
    if (before && unit && /^\d+(p\d+)?$/.test(before.word)) before.word += unit
    else words.push({ word: number && short ? number + short : word, chunk })
  }
  return words.filter(({ word }) => word.length <= MAX_LETTERS).slice(0, MAX_WORDS)
}

/** Splits '26cm' into number and unit, as descriptions write it; null for other words. */
export function quantityOf(word: string): [number: string, unit: string] | null {
  const [, number, unit] = QUANTITY.exec(word) ?? []
  return number && unit ? [number, unit] : null
}
