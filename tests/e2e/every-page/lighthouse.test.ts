import { expect, test } from '#tests/support/browser/e2e.ts'
import { openLighthouse } from '#tests/support/browser/lighthouse.ts'
import { LIGHTHOUSE_PAGES } from '#tests/support/browser/page-kinds.ts'

/** Nothing is timed here, so no waiting for the page to settle; other methods wait five seconds. */
const AT_ONCE = {
  throttlingMethod: 'simulate',
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 0,
  networkQuietThresholdMs: 100,
  cpuQuietThresholdMs: 0,
  skipAboutBlank: true,
} as const

test('Lighthouse finds nothing to improve except speed', { tag: ['@desktop', '@long'] }, async ({ baseURL }) => {
  test.setTimeout(180_000)
  const lighthouse = await openLighthouse(['accessibility', 'best-practices', 'seo'], AT_ONCE)
  try {
    for (const [name, path] of Object.entries(LIGHTHOUSE_PAGES)) {
      const { scores, complaints } = await lighthouse.measure(new URL(path, baseURL).href)

      expect.soft({ ...scores, complaints: complaints.map(line => line.slice(0, 600)) }, name).toEqual({
        accessibility: 100,
        'best-practices': 100,
        seo: 100,
        complaints: [],
      })
    }
  } finally {
    await lighthouse.close()
  }
})
