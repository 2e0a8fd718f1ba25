/** A mistake in a file that its editor has to correct. */
export interface Fault {
  line: number
  text: string
}

/** `file:line: text` for each fault, in the order of their lines. */
export function describeFaults(file: string, faults: Fault[]): string[] {
  return faults.toSorted((a, b) => a.line - b.line).map(({ line, text }) => `${file}:${line}: ${text}`)
}
