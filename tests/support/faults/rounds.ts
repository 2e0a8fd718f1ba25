/** How often a test tries something: `usual` times in `npm test`, `thorough` times in `npm run test:faults`, which finds the test itself. */
export function rounds(usual: number, thorough: number): number {
  return process.env.TEST_FAULTS === 'on' ? thorough : usual
}
