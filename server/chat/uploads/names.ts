const LONGEST = 120
const LONGEST_EXTENSION = 10
/** Controls, and marks that turn the direction of what follows: `invoice\u202Efdp.exe` would read as a PDF. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]/gu
/** What some system or other takes for part of a path, or refuses. */
const UNSAFE = /[/\\:*?"<>|]/g

/** A file's name as it may be shown, stored and suggested for saving: one line, no path, at most 120 characters. */
export function cleanName(given: string): string {
  // Browsers write a quotation mark so.
  const last = given.replaceAll('%22', '"').split(/[/\\]/).at(-1) ?? ''
  const name = last.toWellFormed().normalize('NFC').replace(UNSEEN, '').replace(UNSAFE, '_').trim().replace(/^\.+/, '')
  if (name.length <= LONGEST) return name
  const ending = extensionOf(name).slice(0, LONGEST_EXTENSION)
  // Not in the middle of a character.
  const start = name.slice(0, LONGEST - ending.length - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${start}.${ending}`
}

/** What stands after the last dot, in lower case; empty without one. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}
