import { singleLine } from '#server/platform/single-line.ts'
import type { Terminal } from './app-context.ts'

const EVERY_MS = 200

/** Shows messages and, on terminals only, a progress line that overwrites itself. */
export function createProgress({ isWatched, err }: Pick<Terminal, 'isWatched' | 'err'>) {
  let isShown = false
  let last = 0
  let written = Promise.resolve()
  const write = (text: string) => {
    written = written.then(() => err(text)).catch(() => undefined)
  }

  function clear(): void {
    if (isShown) write('\r\u001B[K')
    isShown = false
  }

  return {
    show(text: string): void {
      if (!isWatched || Date.now() - last < EVERY_MS) return
      last = Date.now()
      write(`\r\u001B[K${singleLine(text)}`)
      isShown = true
    },
    tell(text: string): void {
      clear()
      write(`${singleLine(text)}\n`)
    },
    clear,
    /** Resolves when everything is written; errors of a closed terminal are ignored. */
    end: () => written,
  }
}
