import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OFFLINE } from '#lib/api.ts'
import { TOAST_MS } from '#lib/constants.ts'
import { sayUnavailable } from '#page-scripts/unavailable.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a missing part is reported offline in the words of the toasts, for as long as an error toast', () => {
  const shown = new Set<{ textContent: string }>()
  const note = { role: '', className: '', textContent: '', remove: () => void shown.delete(note) }
  vi.stubGlobal('document', {
    createElement: () => note,
    body: { append: (each: typeof note) => void shown.add(each) },
  })
  vi.stubGlobal('navigator', { onLine: false })

  sayUnavailable()
  vi.advanceTimersByTime(TOAST_MS.error - 1)
  expect([...shown].map(({ textContent }) => textContent)).toEqual([OFFLINE])
  vi.advanceTimersByTime(1)
  expect(shown.size).toBe(0)
})
