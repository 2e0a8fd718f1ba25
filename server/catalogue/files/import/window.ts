/**
 * Values of which more rows may follow. Once more than `mostCharacters` of the file have been read of them, the one
 * whose last row is furthest back has to go.
 */
export function createWindow<Value>(mostCharacters: number) {
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
    /** The value of a key, of which another row of `size` characters has been read. */
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

    /** Removes and returns those that have to go. */
    removeOldest: () => remove(() => characters <= mostCharacters),
    removeAll: () => remove(() => false),
  }
}
