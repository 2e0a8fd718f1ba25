/** How often something is tried: `usual` times, and `thorough` times where faults are looked for (TEST_FAULTS=on). */
export function rounds(usual: number, thorough: number): number {
  return process.env.TEST_FAULTS === 'on' ? thorough : usual
}
