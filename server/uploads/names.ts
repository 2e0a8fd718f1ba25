const MAX_LENGTH = 120
const MAX_EXTENSION_LENGTH = 10
/** Control characters, and marks that change the text direction: `invoice\u202Efdp.exe` would read as a PDF. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]/gu
/** Characters that some operating system forbids in names or uses in paths. */
const UNSAFE = /[/\\:*?"<>|]/g

/** A file name that is safe to show, store and suggest for downloads: one line, no path, at most 120 characters. */
export function cleanName(given: string): string {
  // Browsers encode quotation marks like this.
  const last = given.replaceAll('%22', '"').split(/[/\\]/).at(-1) ?? ''
  const name = last.toWellFormed().normalize('NFC').replace(UNSEEN, '').replace(UNSAFE, '_').trim().replace(/^\.+/, '')
  if (name.length <= MAX_LENGTH) return name
  const ending = extensionOf(name).slice(0, MAX_EXTENSION_LENGTH)
  // Do not cut a surrogate pair in half.
  const start = name.slice(0, MAX_LENGTH - ending.length - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${start}.${ending}`
}

/** The part after the last dot, in lower case; empty without a dot. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}
