import { PATIENCE } from './patience.ts'

const isThorough = process.env.TEST_FAULTS === 'on'

/** A figure of a test, such as its repetitions: `usual` in `npm test`, `thorough` in `npm run test:faults`. */
export function rounds(usual: number, thorough: number): number {
  return isThorough ? thorough : usual
}

/**
 * How long a test waits for what is promised within `ms` milliseconds. Only `npm run test:faults` holds the shop to it:
 * in `npm test`, other tests need the same processors.
 */
export function promised(ms: number): { timeout: number } {
  return { timeout: isThorough ? ms : Math.max(ms, PATIENCE.timeout) }
}
