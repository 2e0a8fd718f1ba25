interface LetterGroup<Item> {
  /** 'A' to 'Z'; '0–9' for what precedes the letters, 'Other' for other alphabets. */
  letter: string
  /** Place of its first item in the whole list. */
  start: number
  items: Item[]
}

/** Groups items that are sorted by name by its first letter, ignoring accents. */
export function letterGroups<Item extends { name: string }>(items: Item[]): LetterGroup<Item>[] {
  const groups: LetterGroup<Item>[] = []
  for (const [start, item] of items.entries()) {
    const letter = letterOf(item.name)
    const current = groups.at(-1)
    // Letters such as Æ, and those whose group has begun before, join the current group: they sort among its items.
    if (current && (letter === undefined || groups.some(group => group.letter === letter))) current.items.push(item)
    else groups.push({ letter: letter ?? 'A', start, items: [item] })
  }
  return groups
}

/** Undefined for Latin letters that are none of A to Z. */
function letterOf(name: string): string | undefined {
  const [first = ''] = name.normalize('NFD')
  if (/[a-z]/i.test(first)) return first.toUpperCase()
  if (/\p{Script=Latin}/u.test(first)) return undefined
  return /\p{L}/u.test(first) ? 'Other' : '0–9'
}
