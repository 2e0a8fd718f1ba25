import { NO_SHOP } from '../drafts.ts'
import type { OnProblem } from './csv.ts'

export const FORMATS = ['shopify', 'woocommerce', 'google', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** Default stock of a variant that its file does not count. */
export const UNTRACKED_STOCK = 100

/** The operator's options for reading a catalogue file. */
export interface ReadOptions {
  /** The shop to put all products into, instead of the shops that the file names. */
  shop?: string | undefined
  /** US dollars per unit of the file's currency; by default, the file's prices are in dollars. */
  rate?: number | undefined
  /** Stock of each variant in a file without quantities. */
  stock?: number | undefined
  /** Stock of each variant that is not tracked, or that is sold even when out of stock. */
  untrackedStock: number
  /** Reports a row that cannot be used. */
  onProblem: OnProblem
  /** Reports a row that cannot be used and may be of any product. */
  onLostRow: OnProblem
  /** Reports data that is ignored although its row is used. */
  onWarning: (reason: string) => void
}

/** The warning for a file without quantities when the operator has not given one either. */
export function describeGuess(lack: string, { untrackedStock }: ReadOptions): string {
  return `${lack}: new variants get ${untrackedStock} in stock, known ones keep theirs; give another number with --stock N`
}

export function describeNoShop(what: string): string {
  return `${what} names no shop: its products are those of '${NO_SHOP}'; name another with --shop NAME`
}

/** Gives a warning, unless one of its kind was given before. */
export type Warn = (reason: string, kind?: string) => void

export function openWarnings({ onWarning }: ReadOptions): Warn {
  const given = new Set<string>()
  return (reason, kind = reason) => {
    if (!given.has(kind)) onWarning(reason)
    given.add(kind)
  }
}
