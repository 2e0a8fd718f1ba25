import { chromium } from 'playwright'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { CHROMIUM_FLAGS, findOrInstallChromium } from '#tests/support/browser/chromium.ts'

export interface Transferred {
  'JavaScript kB': number
  scripts: number
  'all but pictures kB': number
  requests: number
}

const SETTLED_MS = 3000

/** The compressed bytes that a browser downloads for each page before any click; for a customer if `token` is given. */
export async function transferredBytes(
  urls: Record<string, string>,
  token?: string,
): Promise<Record<string, Transferred>> {
  const browser = await chromium.launch({ executablePath: findOrInstallChromium(), args: CHROMIUM_FLAGS })
  try {
    const table: Record<string, Transferred> = {}
    for (const [name, url] of Object.entries(urls)) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
      if (token)
        await context.addInitScript(([key, value]) => localStorage.setItem(key, value), [
          CUSTOMER_TOKEN,
          token,
        ] as const)
      const page = await context.newPage()
      const received = new Map<string, { type: string; bytes: number }>()
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      session.on('Network.responseReceived', ({ requestId, type }) => received.set(requestId, { type, bytes: 0 }))
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const one = received.get(requestId)
        if (one) one.bytes = encodedDataLength
      })
      await page.goto(url, { waitUntil: 'networkidle' })
      // Some scripts load only when the browser is idle.
      await page.waitForTimeout(SETTLED_MS)
      const all = [...received.values()]
      const scripts = all.filter(({ type }) => type === 'Script')
      table[name] = {
        'JavaScript kB': kilobytes(scripts),
        scripts: scripts.length,
        'all but pictures kB': kilobytes(all.filter(({ type }) => type !== 'Image')),
        requests: all.length,
      }
      await context.close()
    }
    return table
  } finally {
    await browser.close()
  }
}

function kilobytes(responses: { bytes: number }[]): number {
  return Math.round(responses.reduce((sum, { bytes }) => sum + bytes, 0) / 100) / 10
}
