import { or, sql, type SQL } from 'drizzle-orm'
import { PRODUCTS_PER_PAGE } from '#contract/rules.ts'
import { areOfKind, haveAll, haveMost } from './relevance.ts'
import type { Term, Understood } from './terms.ts'

/** If names, brands, categories and options give this many products, descriptions are not searched. */
const ENOUGH = PRODUCTS_PER_PAGE
/** With fewer products that have all words, similar goods are shown, too. */
const FEW = 4

/** The number of products with all words: in names, brands, categories and options, or anywhere. */
interface Counted {
  named: number
  all: number
}

/** Stages are tried one after the other until one finds enough products. */
export interface Stage {
  matching: SQL
  /** The terms by which its products are ordered. */
  terms: Term[]
  /** A condition: products that fulfil it come first. */
  first?: SQL
  isPartial?: boolean
  /** The name under which the stage's number of products is counted. Below `atLeast`, the next stage is tried. */
  counts?: keyof Counted
  atLeast?: number
  /** Whether the counts of earlier stages make this one worth trying. */
  isNeeded?: (counted: Counted) => boolean
}

export function stagesOf({ terms, expressions, broader }: Understood, isLiteral: boolean): Stage[] {
  const required = requiredOf(terms)
  if (terms.length === 0) return []
  // 'gifts for men' names no kind of product: show the products with any of its words or, without any, the whole shop.
  if (required.length === 0) {
    return [
      { matching: haveMost(terms, 'named', true), terms },
      { matching: sql`true`, terms, isPartial: true },
    ]
  }
  if (isLiteral) return haveEach(terms)
  return [
    ...(expressions ? [...haveNamed(expressions), ...haveSought(expressions)] : []),
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

/** The products with all words and expressions, if the name or the like of any product has them. */
function haveNamed(terms: Term[]): Stage[] {
  const [named, anywhere] = haveEach(terms) as [Stage, Stage]
  return [named, { ...anywhere, isNeeded: ({ named: inNames }) => inNames > 0 }]
}

/**
 * The products with all words. If there are hardly any, also similar goods; and products of the right kind, if only
 * descriptions had all words.
 */
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
  return [
    named,
    { ...anywhere, counts: 'all', atLeast: isFew },
    ...near,
    ofKind,
    { ...anywhere, isNeeded: ({ all }) => all > 0 },
  ]
}

/** The products with all words except colours, materials and numbers. */
function haveSought(terms: Term[]): Stage[] {
  const main = mainOf(terms)
  if (main.length === 0 || main.length === requiredOf(terms).length) return []
  return (['named', 'search'] as const).map(column => ({ matching: haveAll(main, column), terms, isPartial: true }))
}

/** The products with all but one of the words, then with any of them. */
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
