/** What strangers wrote moves no cursor, colours nothing and stays in its line. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** The same for what has lines of its own. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n')
}
