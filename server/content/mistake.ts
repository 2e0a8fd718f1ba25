/** A mistake in a file that its editor has to correct. */
export interface Mistake {
  line: number
  text: string
}

/** `file:line: text` for each mistake, in the order of their lines. */
export function describeMistakes(file: string, mistakes: Mistake[]): string[] {
  return mistakes.toSorted((a, b) => a.line - b.line).map(({ line, text }) => `${file}:${line}: ${text}`)
}
