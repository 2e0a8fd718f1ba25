/** The queue is full, or this work has waited too long. */
export class QueueFullError extends Error {
  override name = 'QueueFullError'

  constructor() {
    super('The queue is full, or the wait was too long')
  }
}

/** The client has disconnected, so its work is not started. */
export class AbandonedError extends Error {
  override name = 'AbandonedError'

  constructor() {
    super('The client has closed the connection')
  }
}

interface Options {
  atOnce: number
  maxWaiting: number
  maxWaitMs?: number
}

/**
 * Runs at most `atOnce` pieces of work at the same time; the others wait in order. Throws `QueueFullError` if
 * `maxWaiting` wait already or after `maxWaitMs`, `AbandonedError` if `signal` is aborted while waiting.
 */
export function openBoundedQueue({ atOnce, maxWaiting, maxWaitMs }: Options) {
  let running = 0
  const waiting = new Set<() => void>()

  async function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (waiting.size >= maxWaiting) throw new QueueFullError()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: Error) => {
      if (waiting.delete(resolve)) reject(reason)
    }
    const abandon = () => leave(new AbandonedError())
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => leave(new QueueFullError()), maxWaitMs)
    signal?.addEventListener('abort', abandon)
    waiting.add(resolve)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abandon)
    }
  }

  /** Starts the next piece of work in the queue. */
  function endTurn(): void {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return async function inTurn<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (signal?.aborted) throw new AbandonedError()
    await waitForTurn(signal)
    try {
      if (signal?.aborted) throw new AbandonedError()
      return await work()
    } finally {
      endTurn()
    }
  }
}
