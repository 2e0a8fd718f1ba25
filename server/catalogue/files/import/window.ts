/**
 * Values that later rows may still add to. Once their rows exceed `maxCharacters`, `removeOldest` removes those that
 * have gone longest without a new row.
 */
export function createWindow<Value>(maxCharacters: number) {
  const waiting = new Map<string, { value: Value; size: number }>()
  let characters = 0

  function* remove(isEnough: () => boolean): Generator<[key: string, value: Value]> {
    for (const [key, { value, size }] of waiting) {
      if (isEnough()) return
      waiting.delete(key)
      characters -= size
      yield [key, value]
    }
  }

  return {
    /** Returns the value of a key, or creates it, and adds a row of `size` characters to its size. */
    touch(key: string, size: number, create: () => Value): Value {
      const { value, size: before } = waiting.get(key) ?? { value: create(), size: 0 }
      // Moves it to the end.
      waiting.delete(key)
      waiting.set(key, { value, size: before + size })
      characters += size
      return value
    },

    /** Removes and returns the value of a key. */
    take(key: string): Value | undefined {
      const found = waiting.get(key)
      waiting.delete(key)
      characters -= found?.size ?? 0
      return found?.value
    },

    /** Removes and returns the oldest values until the rest fit into `maxCharacters`. */
    removeOldest: () => remove(() => characters <= maxCharacters),
    removeAll: () => remove(() => false),
  }
}
