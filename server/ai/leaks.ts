/** So many words in a row are no coincidence. */
const RUN = 8

/** Whether a text gives away one of the `secrets`, or a piece of the instructions. */
export function isLeaking(
  text: string,
  { secrets, instructions }: { secrets: string[]; instructions: string },
): boolean {
  const told = text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  const isTold = (secret: string) => told.includes(secret.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
  const known = new Set(runsOf(instructions))
  return secrets.some(isTold) || runsOf(text).some(run => known.has(run))
}

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '))
}
