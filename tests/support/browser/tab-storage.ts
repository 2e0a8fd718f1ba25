import { vi } from 'vitest'

/** Stubs a browser storage in memory. With `isForbidden` every access throws, as some browsers do. */
export function stubStorage(name: 'localStorage' | 'sessionStorage', { isForbidden = false } = {}) {
  const kept = new Map<string, string>()
  const allowed = () => {
    if (isForbidden) throw new DOMException('The operation is insecure', 'SecurityError')
  }
  vi.stubGlobal(name, {
    getItem: (key: string) => (allowed(), kept.get(key) ?? null),
    setItem: (key: string, value: string) => (allowed(), void kept.set(key, value)),
    removeItem: (key: string) => (allowed(), void kept.delete(key)),
  })
  return kept
}
