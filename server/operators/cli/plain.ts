import { singleLine } from '#server/platform/single-line.ts'

export { singleLine as plain }

/** The same for what has lines of its own. */
export function plainLines(text: string): string {
  return text.split('\n').map(singleLine).join('\n')
}
