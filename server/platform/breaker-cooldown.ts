import type { IBackoff, IBackoffFactory } from 'cockatiel'

/**
 * Keeps a circuit breaker open for `cooldownMs` milliseconds of the monotonic clock. cockatiel itself uses the system
 * clock: if that were set back by an hour, the breaker would stay open for an hour longer.
 */
export function breakerCooldown(cooldownMs: number): IBackoffFactory<unknown> {
  const next = (): IBackoff<unknown> => {
    const endsAt = performance.now() + cooldownMs
    return {
      get duration() {
        return performance.now() < endsAt ? Infinity : -Infinity
      },
      next,
    }
  }
  return { next }
}
