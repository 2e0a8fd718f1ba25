import { hkdfSync } from 'node:crypto'

/** Keys derived for one purpose: the first one signs, signatures of all of them are valid. */
export type Keys = [signing: Uint8Array, ...others: Uint8Array[]]

export interface Secrets {
  /**
   * The 256-bit keys derived for one purpose (HKDF-SHA-256). Call it for each use, because keys change while the shop
   * runs.
   */
  keysFor(purpose: string): Keys
}

const KEY_BYTES = 32

/**
 * Derives keys from master keys, the first of which signs. Caches them: otherwise, deriving the key would take up to
 * half of the time for signing an address (bench/README.md, 'caches').
 */
export function secretsOf(...masters: Keys): Secrets {
  const byPurpose = new Map<string, Keys>()
  return {
    keysFor(purpose) {
      const known = byPurpose.get(purpose)
      if (known) return known
      const keys = masters.map(key => new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES))) as Keys
      byPurpose.set(purpose, keys)
      return keys
    },
  }
}
