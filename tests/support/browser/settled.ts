import { type BrowserContext, expect, type Page, type Request } from 'playwright/test'

/** What the pages of a browser have asked for and not received yet. */
const openRequests = new WeakMap<BrowserContext, Set<Request>>()

/** Has to be called before the browser's pages are opened for `settled` to know their requests. */
export function followRequests(context: BrowserContext): void {
  const open = new Set<Request>()
  openRequests.set(context, open)
  context.on('request', request => open.add(request))
  context.on('requestfinished', request => open.delete(request))
  context.on('requestfailed', request => open.delete(request))
}

/** Pictures that are asked for the first time are made then. */
const PATIENCE_MS = 60_000

/** Waits until the page has started its script, has done what it leaves for idle moments, and waits for no answer. */
export async function settled(page: Page): Promise<void> {
  const open = openRequests.get(page.context())
  if (!open) throw new Error('The requests of this browser are not followed: open its pages by a test of e2e.ts.')
  await page.waitForLoadState()
  async function whatIsMissing(): Promise<string[]> {
    const isStarted = await page.evaluate(async () => {
      await new Promise(resolve => requestIdleCallback(resolve))
      return !('early' in document.documentElement.dataset)
    })
    const requests = [...open!].filter(request => belongsTo(request, page)).map(request => request.url())
    return isStarted ? requests : ['the start of the page’s script', ...requests]
  }
  await expect.poll(whatIsMissing, { timeout: PATIENCE_MS }).toEqual([])
}

function belongsTo(request: Request, page: Page): boolean {
  // The frame of a page that is being opened is not known yet, and `waitForLoadState` waits for it.
  return !request.isNavigationRequest() && request.frame().page() === page
}
