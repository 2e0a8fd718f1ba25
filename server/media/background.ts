import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Format, Width } from './picture.ts'

const MAX_WAITING = 10_000

interface Options {
  make: (hash: string, width: Width, format: Format) => Promise<void>
  /** How long to pause after each requested picture: the renditions that shoppers wait for come first. */
  quietMs: number
  log: Pick<Logger, 'warn'> | undefined
}

/** Makes renditions in the background before they are requested, one after the other. */
export function openBackground({ make, quietMs, log }: Options) {
  // One at a time, so that background work never takes all workers of `make`.
  const queue = pLimit(1)
  let requestedAt = -Infinity
  let isClosed = false

  async function waitUntilQuiet(): Promise<void> {
    for (;;) {
      const wait = requestedAt + quietMs - performance.now()
      if (wait <= 0 || isClosed) return
      await sleep(wait, undefined, { ref: false })
    }
  }

  async function makeAll(hash: string, widths: readonly Width[], formats: readonly Format[]): Promise<void> {
    try {
      for (const format of formats) {
        for (const width of widths) {
          await waitUntilQuiet()
          if (!isClosed) await make(hash, width, format)
        }
      }
    } catch (error) {
      if (!isClosed) log?.warn({ err: error, hash }, 'The renditions of a picture could not be made')
    }
  }

  return {
    /** Queues a picture's renditions; if the queue is full, they are made when requested. */
    add(hash: string, widths: readonly Width[], formats: readonly Format[]): void {
      if (queue.pendingCount < MAX_WAITING) void queue(() => makeAll(hash, widths, formats))
    },

    /** Called when a picture is requested: restarts the pause. */
    holdBack(): void {
      requestedAt = performance.now()
    },

    close(): void {
      isClosed = true
    },
  }
}
