const FIRST_BYTES = 256 * 1024
/** UTF-8 bytes per UTF-16 code unit, at most. */
const MOST_BYTES = 3

let room = Buffer.allocUnsafeSlow(FIRST_BYTES)

/** Concatenates many short texts into UTF-8 bytes, in a buffer that is reused. */
export function pageBytes(texts: string[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const text of texts) {
    const needed = length + text.length * MOST_BYTES
    if (needed > room.length) room = Buffer.concat([room.subarray(0, length)], Math.max(needed, room.length * 2))
    length += room.write(text, length)
  }
  return new Uint8Array(room.subarray(0, length))
}
