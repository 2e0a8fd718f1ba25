/** What strangers wrote, as one line: it breaks no line, colours no terminal and turns no text around. */
export function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Each line of what strangers wrote, made safe as `singleLine` does; its own line breaks stay. */
export function singleLines(text: string): string {
  return text.split('\n').map(singleLine).join('\n')
}
