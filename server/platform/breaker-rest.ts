import type { IBackoffFactory } from 'cockatiel'

/**
 * Keeps a circuit breaker open for `restMs` milliseconds by the monotonic clock. cockatiel compares the system's clock:
 * if that is set back by an hour, the breaker would stay open for an hour.
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
