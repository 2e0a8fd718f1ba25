/** A random unique key: 32 hex digits. `crypto.randomUUID` exists only in secure contexts. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
