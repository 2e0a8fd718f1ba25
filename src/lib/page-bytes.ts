const FIRST_BYTES = 256 * 1024
/** Of UTF-8, for each of a text's units. */
const MOST_BYTES = 3

let room = Buffer.allocUnsafeSlow(FIRST_BYTES)

/** The UTF-8 of many short texts, one behind the other. */
export function pageBytes(texts: string[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const text of texts) {
    const needed = length + text.length * MOST_BYTES
    if (needed > room.length) room = Buffer.concat([room.subarray(0, length)], Math.max(needed, room.length * 2))
    length += room.write(text, length)
  }
  return new Uint8Array(room.subarray(0, length))
}
