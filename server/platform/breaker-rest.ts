import type { IBackoffFactory } from 'cockatiel'

/**
 * How long a circuit breaker stays open, in milliseconds. The breaker compares the system's clock, and one that was put
 * back by an hour would keep it open for an hour: this asks the clock that nobody sets.
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
