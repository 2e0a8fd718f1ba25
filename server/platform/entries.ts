/** The entries of a comma-separated setting, without empty ones. */
export function entriesOf(text: string): string[] {
  return text
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
}
