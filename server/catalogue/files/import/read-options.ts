import type { OnProblem } from './csv.ts'

/** The stock of a variant that its file does not count. */
export const UNTRACKED_STOCK = 100

/** How the operator wants a catalogue file to be read. */
export interface ReadOptions {
  /** The shop that takes every product, whatever the file says. */
  shop?: string | undefined
  /** US dollars for one unit of the file's currency. */
  rate: number
  /** Units of each variant in a file that has no quantities. */
  stock?: number | undefined
  /** Units of each variant that is not tracked or sells on when there are none. */
  untrackedStock: number
  /** A row that cannot be used. */
  onProblem: OnProblem
  /** What is lost though its row is used. */
  onWarning: (reason: string) => void
}

/** What is said of a file without quantities when the operator has not said one either. */
export function describeGuess(lack: string, { untrackedStock }: ReadOptions): string {
  return `${lack}: new products get ${untrackedStock} in stock of each variant, known ones keep theirs; give another number with --stock N`
}
