import type { CDPSession, Page } from 'playwright/test'

export interface Load {
  url: string
  /** The resource type of the DevTools protocol: Document, Stylesheet, Script, Font, Image, Fetch … */
  type: string
  bytes: number
}

/** Records what the page loads, with sizes on the wire. `start` clears the records and the browser's cache. */
export async function recordLoads(page: Page) {
  const loads: Load[] = []
  const byId = new Map<string, Load>()
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (!response.url.startsWith('http')) return
    const load = { url: response.url, type, bytes: 0 }
    byId.set(requestId, load)
    loads.push(load)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = byId.get(requestId)
    if (load) load.bytes = encodedDataLength
  })
  return {
    loads,
    bytesOf: (type: string) => loads.filter(each => each.type === type).reduce((sum, { bytes }) => sum + bytes, 0),
    async start(): Promise<void> {
      await devtools.send('Network.clearBrowserCache')
      loads.length = 0
      byId.clear()
    },
  }
}
