import { type BrowserContext, expect, type Page, type Request } from 'playwright/test'

/** Unfinished requests by browser context. */
const openRequests = new WeakMap<BrowserContext, Set<Request>>()

/** Tracks a context's requests for `settled`. Call it before the context opens pages. */
export function followRequests(context: BrowserContext): void {
  const open = new Set<Request>()
  openRequests.set(context, open)
  context.on('request', request => open.add(request))
  context.on('requestfinished', request => open.delete(request))
  context.on('requestfailed', request => open.delete(request))
}

/** Pictures are created at their first request, which takes time. */
const PATIENCE_MS = 60_000
/** A busy page may have no idle moment. By then, the work that the shop leaves for one is done (`whenIdle`). */
const IDLE_MS = 5000

/** Waits until the page's script has started, idle work is done and no request is pending. */
export async function settled(page: Page): Promise<void> {
  const open = openRequests.get(page.context())
  if (!open) throw new Error('The requests of this browser are not followed: open its pages by a test of e2e.ts.')
  await page.waitForLoadState()
  async function whatIsMissing(): Promise<string[]> {
    const isStarted = await page.evaluate(async timeout => {
      await new Promise(resolve => requestIdleCallback(resolve, { timeout }))
      return !('early' in document.documentElement.dataset)
    }, IDLE_MS)
    const requests = [...open!].filter(request => belongsTo(request, page)).map(request => request.url())
    return isStarted ? requests : ['the start of the page’s script', ...requests]
  }
  await expect.poll(whatIsMissing, { timeout: PATIENCE_MS }).toEqual([])
}

function belongsTo(request: Request, page: Page): boolean {
  // Navigation requests have no frame yet. `waitForLoadState` waits for them.
  return !request.isNavigationRequest() && request.frame().page() === page
}
