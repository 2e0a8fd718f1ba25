import type { IBackoffFactory } from 'cockatiel'

/**
 * Keeps a circuit breaker open for `restMs` milliseconds of the monotonic clock. cockatiel itself uses the system
 * clock: if that were set back by an hour, the breaker would stay open for an hour longer.
 */
export function breakerRest(restMs: number): IBackoffFactory<unknown> {
  return { next: () => resting(restMs) }
}

function resting(restMs: number) {
  const endsAt = performance.now() + restMs
  return {
    get duration() {
      return performance.now() < endsAt ? Infinity : -Infinity
    },
    next: () => resting(restMs),
  }
}
