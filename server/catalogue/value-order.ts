interface Value {
  value: string
  count: number
}

type Rank = [kind: number, size: number]

const byName = new Intl.Collator('en', { numeric: true }).compare
const LETTERS: Record<string, number> = { s: -1, small: -1, m: 0, medium: 0, l: 1, large: 1 }
/** 'XS', 'XX-Large', '3XL', 'Extra small'. */
const LETTER_SIZE = /^(?:(\d+)(?=x)|)((?:x|extra)*)[\s-]*(s|small|m|medium|l|large)$/
/** '43', '+1.5', '3/4', '36-38', '250 ml', '30 × 30 cm'. */
const NUMBER = /^\+?(\d+(?:[.,]\d+)?)(?:\/(\d+))?\s*(\p{L}*)/u
/** Factors that convert a unit to the smallest one of its kind. */
const UNITS: Record<string, number> = { kg: 1000, cl: 10, l: 1000, cm: 10, m: 1000, gb: 1000, tb: 1_000_000 }

/**
 * Sorts values as shops list them: sizes from small to large, numbers from low to high, then other texts, the ones with
 * most products first. Without `hasSizes`, all values are treated as texts.
 */
export function inNaturalOrder<Of extends Value>(values: Of[], hasSizes: boolean): Of[] {
  const ranks = new Map(values.map(value => [value, hasSizes ? rankOf(value) : textRank(value)]))
  return values.toSorted((one, other) => {
    const [kind, size] = ranks.get(one)!
    const [otherKind, otherSize] = ranks.get(other)!
    return kind - otherKind || size - otherSize || byName(one.value, other.value)
  })
}

function rankOf(value: Value): Rank {
  const written = value.value.toLowerCase()
  const [, times, extra = '', letter = ''] = LETTER_SIZE.exec(written) ?? []
  const direction = LETTERS[letter]
  if (direction !== undefined) {
    const extras = times ? Number(times) : extra.replaceAll('extra', 'x').length
    return [0, direction * (1 + extras)]
  }
  const [, number, divisor, unit = ''] = NUMBER.exec(written) ?? []
  if (number === undefined) return textRank(value)
  return [1, (Number(number.replace(',', '.')) / Number(divisor ?? 1)) * (UNITS[unit] ?? 1)]
}

function textRank({ count }: Value): Rank {
  return [2, -count]
}
