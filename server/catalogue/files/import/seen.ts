import { createHash } from 'node:crypto'

/** Remembers the products read so far and their shops, in about 50 bytes each: a file can have a million products. */
export function rememberProducts() {
  const shops: string[] = []
  const indexes = new Map<string, number>()
  const byHandle = new Map<number, number | number[]>()

  return {
    add(handle: string, shopName: string): void {
      const index = indexes.get(shopName) ?? shops.push(shopName) - 1
      indexes.set(shopName, index)
      const stamp = stampOf(handle)
      const known = byHandle.get(stamp)
      byHandle.set(stamp, known === undefined ? index : [known, index].flat())
    },

    /** The shops with a product of this handle so far, the latest last. */
    shopsOf(handle: string): string[] {
      const known = byHandle.size > 0 ? byHandle.get(stampOf(handle)) : undefined
      return known === undefined ? [] : [known].flat().flatMap(index => shops[index] ?? [])
    },
  }
}

function stampOf(handle: string): number {
  return createHash('sha1').update(handle).digest().readUIntBE(0, 6)
}
