import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Format, Width } from './picture.ts'

const MOST_WAITING = 10_000

interface Options {
  make: (hash: string, width: Width, format: Format) => Promise<void>
  /** Nothing is made while somebody looks at pictures: their browser asks for those that they need. */
  quietMs: number
  log: Pick<Logger, 'warn'> | undefined
}

/** Makes renditions before somebody asks for them, one after the other. */
export function openBackground({ make, quietMs, log }: Options) {
  // One picture has at most one place in the line for `make`, so it never holds all who work there.
  const line = pLimit(1)
  let askedAt = 0
  let isClosed = false

  async function quiet(): Promise<void> {
    for (;;) {
      const wait = askedAt + quietMs - Date.now()
      if (wait <= 0 || isClosed) return
      await sleep(wait, undefined, { ref: false })
    }
  }

  async function makeAll(hash: string, widths: readonly Width[], formats: readonly Format[]): Promise<void> {
    try {
      for (const format of formats) {
        for (const width of widths) {
          await quiet()
          if (!isClosed) await make(hash, width, format)
        }
      }
    } catch (error) {
      if (!isClosed) log?.warn({ err: error, hash }, 'The renditions of a picture could not be made')
    }
  }

  return {
    /** Where too many wait already, they are made when somebody asks for them. */
    add(hash: string, widths: readonly Width[], formats: readonly Format[]): void {
      if (line.pendingCount < MOST_WAITING) void line(() => makeAll(hash, widths, formats))
    },

    /** Somebody asks for a picture, which comes first. */
    holdBack(): void {
      askedAt = Date.now()
    },

    close(): void {
      isClosed = true
    },
  }
}
