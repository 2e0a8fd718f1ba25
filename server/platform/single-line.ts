/** Replaces control characters, line breaks and text direction marks in untrusted text by spaces. */
export function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Like `singleLine`, but keeps line feeds. */
export function singleLines(text: string): string {
  return text.split('\n').map(singleLine).join('\n')
}
