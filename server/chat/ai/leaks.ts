/** This many equal words in a row are no coincidence. */
const RUN = 8

/** Whether a text contains one of `secrets`, forwards or backwards, or eight words in a row of the instructions. */
export function isLeaking(
  text: string,
  { secrets, instructions }: { secrets: string[]; instructions: string },
): boolean {
  const letters = lettersOf(text)
  const isContained = (secret: string) =>
    [secret, Array.from(secret).toReversed().join('')].some(way => letters.includes(lettersOf(way)))
  const known = new Set(runsOf(instructions))
  return secrets.some(isContained) || runsOf(text).some(run => known.has(run))
}

/** Letters and digits only, in one form (NFKC) and in lower case: separators cannot hide a secret. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

function runsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '))
}
