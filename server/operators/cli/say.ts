import { singleLines } from '#server/platform/single-line.ts'
import type { Terminal } from './app-context.ts'

/** Prints the result of a successful command; returns exit code 0. */
export async function say({ out }: Pick<Terminal, 'out'>, text: string): Promise<number> {
  await out(`${singleLines(text)}\n`)
  return 0
}
