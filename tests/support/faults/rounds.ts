/** Repetitions of a test: `usual` in `npm test`, `thorough` in `npm run test:faults`. */
export function rounds(usual: number, thorough: number): number {
  return process.env.TEST_FAULTS === 'on' ? thorough : usual
}
