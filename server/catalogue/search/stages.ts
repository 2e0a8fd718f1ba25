import { and, or, sql, type SQL } from 'drizzle-orm'
import { PRODUCTS_PER_PAGE } from '#contract/rules.ts'
import { shipsTo } from '../facets.ts'
import { areNamedAny, areOfKind, costAtMost, haveAll, haveAllButOne } from './relevance.ts'
import type { Term, Understood } from './terms.ts'

/** If names, brands, categories and options give this many products, descriptions are not searched. */
const ENOUGH = PRODUCTS_PER_PAGE
/** With fewer products that have all words, similar goods are shown, too. */
const FEW = 4

/** The number of products with all words: in names, brands, categories and options, anywhere, or similar goods. */
interface Counted {
  named: number
  all: number
  near: number
}

/** Stages are tried one after the other until one finds enough products. */
export interface Stage {
  matching: SQL
  /** The terms by which its products are ordered. */
  terms: Term[]
  /** A condition: products that fulfil it come first. */
  first?: SQL
  isPartial?: boolean
  /** No product has any of the words, so all products are listed. */
  isUnrelated?: boolean
  /** The name under which the stage's number of products is counted. Below `atLeast`, the next stage is tried. */
  counts?: keyof Counted
  atLeast?: number
  /** Whether the counts of earlier stages make this one worth trying. */
  isNeeded?: (counted: Counted) => boolean
}

export function stagesOf(understood: Understood, isLiteral: boolean): Stage[] {
  const { terms, mostCents, destination } = understood
  const isThere = destination === undefined ? undefined : shipsTo(destination)
  const isCheap = mostCents === undefined ? undefined : costAtMost(mostCents)
  if (terms.length === 0) {
    const matching = and(isCheap, isThere)
    return matching ? [{ matching, terms }] : []
  }
  return stagesOfWords(understood, isLiteral).map(stage => ({ ...stage, matching: and(stage.matching, isThere)! }))
}

function stagesOfWords({ terms, expressions, broader }: Understood, isLiteral: boolean): Stage[] {
  const things = expressions ?? terms
  // 'gifts for men' names no kind of product: show the products with any of its words or, without any, the whole shop.
  if (requiredOf(things).length === 0) {
    return [
      { matching: areNamedAny(things), terms: things },
      { matching: sql`true`, terms, isPartial: true, isUnrelated: true },
    ]
  }
  if (isLiteral) return stagesOfAll(terms)
  return [
    ...(expressions ? [...stagesOfNamed(expressions), ...stagesOfMain(expressions)] : []),
    ...widened(terms, broader),
    ...(expressions ? stagesOfSome(expressions) : []),
    ...stagesOfSome(terms),
    ...(broader ? stagesOfSome(broader) : []),
  ]
}

const requiredOf = (terms: Term[]) => terms.filter(({ kind }) => kind !== 'optional')
const mainOf = (terms: Term[]) => terms.filter(({ kind }) => kind === 'main')

function stagesOfAll(terms: Term[]): Stage[] {
  const required = requiredOf(terms)
  return [
    { matching: haveAll(required, 'named'), terms, counts: 'named', atLeast: ENOUGH },
    { matching: haveAll(required, 'search'), terms },
  ]
}

/** The products with all words and expressions, if any product has them in its name, brand, category or options. */
function stagesOfNamed(terms: Term[]): Stage[] {
  const [named, anywhere] = stagesOfAll(terms) as [Stage, Stage]
  return [named, { ...anywhere, isNeeded: ({ named: inNames }) => inNames > 0 }]
}

/**
 * The products with all words. If there are hardly any, also similar goods; and products of the right kind, if only
 * descriptions had all words.
 */
function widened(terms: Term[], broader: Term[] | null): Stage[] {
  const required = requiredOf(terms)
  const [named, anywhere] = stagesOfAll(terms) as [Stage, Stage]
  const fewest = required.length > 1 || (broader !== null && terms.length > 1) ? FEW : 1
  const near: Stage[] = broader
    ? [
        {
          matching: haveAll(requiredOf(broader), 'search'),
          terms: broader,
          isPartial: true,
          counts: 'near',
          atLeast: isDescribed(broader) ? FEW : 1,
        },
      ]
    : []
  const ofKind: Stage = {
    matching: or(anywhere.matching, areOfKind(terms))!,
    terms,
    first: anywhere.matching,
    isPartial: true,
    isNeeded: ({ named: inNames, all }) => inNames === 0 && all > 0 && required.length > 1,
  }
  return [
    named,
    { ...anywhere, counts: 'all', atLeast: fewest },
    ...near,
    ...stagesOfMain(terms, broader),
    ofKind,
    { ...anywhere, isNeeded: ({ all }) => all > 0 },
  ]
}

const isDescribed = (terms: Term[]) => mainOf(terms).length < requiredOf(terms).length

/**
 * The products with all words except colours, materials, numbers and other details; if there are few, similar goods.
 */
function stagesOfMain(terms: Term[], broader: Term[] | null = null): Stage[] {
  const main = mainOf(terms)
  if (main.length === 0 || !isDescribed(terms)) return []
  const first = haveAll(requiredOf(terms), 'search')
  return (['named', 'search'] as const).flatMap((column): Stage[] => {
    const sought = { matching: haveAll(main, column), terms, isPartial: true }
    if (!broader) return [column === 'named' ? { ...sought, first } : sought]
    const similar = { matching: haveAll(mainOf(broader), column), terms: broader, isPartial: true }
    return [{ ...sought, counts: 'near', atLeast: FEW }, similar]
  })
}

/** The products with all but one of the words, then those named with any of them: for a blue kayak, nothing blue. */
function stagesOfSome(terms: Term[]): Stage[] {
  const [required, main] = [requiredOf(terms), mainOf(terms)]
  const telling = main.length > 0 ? required.filter(({ kind }) => kind !== 'colour') : required
  if (required.length < 2) return []
  // 'Usb c charger' shows chargers before microphones with USB-C.
  const ofKind = areOfKind(terms)
  const matching = [
    ...(required.length > 2 ? [or(haveAllButOne(required), ofKind)!] : []),
    ...(main.length > 1 ? [areNamedAny(main)] : []),
    areNamedAny(telling),
  ]
  return matching.map(each => ({ matching: each, terms, first: ofKind, isPartial: true }))
}
