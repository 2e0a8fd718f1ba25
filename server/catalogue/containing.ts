/** A pattern of `like` for texts that contain `text` as it is typed. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
