import { or, sql, type SQL } from 'drizzle-orm'
import { PRODUCTS_PER_PAGE } from '#contract/rules.ts'
import { areOfKind, haveAll, haveMost } from './relevance.ts'
import type { Term, Understood } from './terms.ts'

/** If names, brands, categories and options give this many products, descriptions are not searched. */
const ENOUGH = PRODUCTS_PER_PAGE
/** With fewer products that have all words, what comes near is shown, too. */
const FEW = 4

/** The number of products with all words, in their names and the like or anywhere. */
interface Counted {
  named: number
  all: number
}

/** What is tried one after the other until something is found. */
export interface Stage {
  matching: SQL
  /** The terms by which its products are ordered. */
  terms: Term[]
  /** Which of its products come first. */
  first?: SQL
  isPartial?: boolean
  /** What its number of products is. With fewer than `atLeast`, the next stage finds more. */
  counts?: keyof Counted
  atLeast?: number
  /** Whether what was counted before makes the stage worth trying. */
  isNeeded?: (counted: Counted) => boolean
}

export function stagesOf({ terms, expressions, broader }: Understood, isLiteral: boolean): Stage[] {
  const required = requiredOf(terms)
  if (terms.length === 0) return []
  // 'gifts for men' names no product: what mentions any of its words is shown, else the whole shop.
  if (required.length === 0) {
    return [
      { matching: haveMost(terms, 'named', true), terms },
      { matching: sql`true`, terms, isPartial: true },
    ]
  }
  if (isLiteral) return haveEach(terms)
  return [
    ...(expressions ? [...haveEach(expressions), ...haveSought(expressions)] : []),
    ...widened(terms, broader),
    ...(expressions ? haveSome(expressions) : []),
    ...haveSought(terms),
    ...haveSome(terms),
  ]
}

const requiredOf = (terms: Term[]) => terms.filter(({ kind }) => kind !== 'optional')
const mainOf = (terms: Term[]) => terms.filter(({ kind }) => kind === 'main')

function haveEach(terms: Term[]): Stage[] {
  const required = requiredOf(terms)
  return [
    { matching: haveAll(required, 'named'), terms, counts: 'named', atLeast: ENOUGH },
    { matching: haveAll(required, 'search'), terms },
  ]
}

/** All words. If that is next to nothing, also what comes near, and what is of the sought kind if only descriptions had all. */
function widened(terms: Term[], broader: Term[] | null): Stage[] {
  const required = requiredOf(terms)
  const [named, anywhere] = haveEach(terms) as [Stage, Stage]
  const isFew = required.length > 1 || (broader !== null && terms.length > 1) ? FEW : 1
  const near: Stage[] = broader
    ? [{ matching: haveAll(requiredOf(broader), 'search'), terms: broader, isPartial: true }]
    : []
  const ofKind: Stage = {
    matching: or(anywhere.matching, areOfKind(terms))!,
    terms,
    first: anywhere.matching,
    isNeeded: ({ named: inNames, all }) => inNames === 0 && all > 0 && required.length > 1,
  }
  return [named, { ...anywhere, counts: 'all', atLeast: isFew }, ...near, ofKind, anywhere]
}

/** Without colours, materials and numbers. */
function haveSought(terms: Term[]): Stage[] {
  const main = mainOf(terms)
  if (main.length === 0 || main.length === requiredOf(terms).length) return []
  return (['named', 'search'] as const).map(column => ({ matching: haveAll(main, column), terms, isPartial: true }))
}

/** All but one of the words, then any of them. */
function haveSome(terms: Term[]): Stage[] {
  const [required, main] = [requiredOf(terms), mainOf(terms)]
  if (required.length < 2) return []
  const matching = [
    ...(required.length > 2 ? [haveMost(required, 'search', false)] : []),
    ...(main.length > 1 ? [haveMost(main, 'named', true)] : []),
    haveMost(required, 'named', true),
    haveMost(required, 'search', true),
  ]
  return matching.map(each => ({ matching: each, terms, isPartial: true }))
}
