import type * as z from 'zod/mini'
import type { getSuggestions } from '#contract/suggestions.ts'

/** Suggestions as the provider sends them: visitors do not load the contract. */
export type SentSuggestions = z.input<typeof getSuggestions.output>

/** One part of a text, and whether it is what the shopper has typed. */
export interface MarkedPart {
  text: string
  isMarked: boolean
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u

/** Whether a text has enough letters for suggestions: two. */
export function isEnough(typed: string): boolean {
  return typed.split(BETWEEN_WORDS).join('').length > 1
}

/** Splits a text at the words that begin with a typed word. */
export function markWords(text: string, typed: string): MarkedPart[] {
  const words = typed.split(BETWEEN_WORDS).filter(Boolean)
  if (words.length === 0) return [{ text, isMarked: false }]
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  const begins = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(${longestFirst.join('|')})`, 'giu')
  // Splitting by a capture group puts the matches at the odd indexes.
  return text
    .split(begins)
    .map((part, at) => ({ text: part, isMarked: at % 2 === 1 }))
    .filter(part => part.text !== '')
}

// As in contract/page-urls.ts, which visitors do not load; the unit test compares them.

export function productAddress(slug: string): string {
  return `/product/details/${encodeURIComponent(slug)}`
}

export function categoryAddress(name: string): string {
  return `/products?${new URLSearchParams({ category: name })}`
}

export function shopAddress({ slug, sellerId }: { slug: string; sellerId: string }): string {
  return `/stores/${encodeURIComponent(slug)}/${encodeURIComponent(sellerId)}`
}

export function searchAddress(value: string): string {
  return `/products/search?${new URLSearchParams({ value })}`
}

/** The text for screen readers: '6 products, 1 category'. */
export function countText(counts: [count: number, one: string, many: string][]): string {
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  return parts.length > 0 ? `${parts.join(', ')}. Use the arrow keys to choose.` : 'No suggestions'
}
