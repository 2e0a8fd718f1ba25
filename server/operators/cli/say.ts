import type { Terminal } from './app-context.ts'
import { singleLines } from '../../platform/single-line.ts'

/** Tells the operator how a command went, in a line; answers the exit code of one that went well. */
export async function say({ out }: Pick<Terminal, 'out'>, text: string): Promise<number> {
  await out(`${singleLines(text)}\n`)
  return 0
}
