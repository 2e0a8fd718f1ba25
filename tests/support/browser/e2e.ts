import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, expect, type Locator, type Page, test as base } from 'playwright/test'
import { followRequests, settled } from './settled.ts'
import { dataDirOf } from '../provider/shop.ts'

export { expect }

interface Faults {
  /** Expects a matching fault: the test fails if none occurs. */
  expect(pattern: RegExp): Faults
  /** Tolerates a matching fault that may or may not occur, depending on timing. */
  allow(pattern: RegExp): Faults
}

interface Fixtures {
  /** Why the test needs a shop started by this run. With BASE_URL it is skipped for this reason. */
  ownShop: string | null
  skippedWithBaseUrl: void
  faults: Faults
}

/** Fails a test if the browser reports an error, warning, CSP violation, or a failed or foreign request. */
export const test = base.extend<Fixtures>({
  ownShop: [null, { option: true }],
  skippedWithBaseUrl: [
    async ({ ownShop }, use, testInfo) => {
      testInfo.skip(ownShop !== null && isShopGiven(), `BASE_URL is set, and this needs ${ownShop}`)
      await use()
    },
    { auto: true },
  ],
  faults: [
    async ({ context, baseURL }, use) => {
      const seen = await collectFaults(context, new URL(baseURL ?? 'http://127.0.0.1').hostname)
      const expected: RegExp[] = []
      const allowed: RegExp[] = []
      const faults: Faults = {
        expect(pattern) {
          expected.push(pattern)
          return faults
        },
        allow(pattern) {
          allowed.push(pattern)
          return faults
        },
      }
      await use(faults)
      const missing = () => expected.filter(pattern => !seen.some(fault => pattern.test(fault)))
      // The browser may report a fault later than the page shows what it led to.
      await expect.poll(missing, 'faults that the test announced').toEqual([])
      const unexpected = seen.filter(fault => ![...expected, ...allowed].some(pattern => pattern.test(fault)))
      expect(unexpected, 'faults that the browser reported').toEqual([])
    },
    { auto: true },
  ],
})

/** Whether BASE_URL names a shop that this run did not start. */
function isShopGiven(): boolean {
  const url = process.env.BASE_URL
  return url !== undefined && dataDirOf(url) === undefined
}

async function collectFaults(context: BrowserContext, host: string): Promise<string[]> {
  const seen: string[] = []
  followRequests(context)
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', event =>
      console.error(`CSP violation: ${event.effectiveDirective} blocked ${event.blockedURI} ${event.sample}`),
    ),
  )
  context.on('console', message => {
    // Leaving a page closes a socket that it was still opening.
    if (message.text().includes('WebSocket is closed before the connection is established')) return
    if (['error', 'warning'].includes(message.type())) seen.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', error => {
    seen.push(`uncaught: ${error.error().stack || error.error().message}`)
  })
  context.on('dialog', dialog => {
    seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', request => {
    const { protocol, hostname, href } = new URL(request.url())
    const isOurs = hostname === host || hostname === '127.0.0.1'
    if (protocol.startsWith('http') && !isOurs) seen.push(`foreign request: ${href}`)
  })
  context.on('response', response => {
    if (response.status() >= 400) seen.push(`${response.status()} ${response.url()}`)
  })
  context.on('requestfailed', request => {
    const reason = request.failure()?.errorText
    // Leaving a page aborts its pending requests.
    if (reason !== 'net::ERR_ABORTED') seen.push(`failed: ${request.url()} ${reason}`)
  })
  return seen
}

/** Waits until React has hydrated the island around `inside`. Touch the island first to start it. */
export async function hydrated(inside: Locator): Promise<void> {
  const island = inside.locator('xpath=ancestor-or-self::astro-island').last()
  await expect(island).not.toHaveAttribute('ssr')
}

const STANDARD = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/** The page's axe violations, one line per element. Use `onlyColours` if nothing else can have changed. */
export async function axe(page: Page, { onlyColours = false } = {}): Promise<string[]> {
  // Controls half covered by the sticky header would be reported as too small.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await stopFadingToasts(page)
  await coloursSettled(page)
  // There are no frames, so legacy mode is enough. It avoids opening a second page for each analysis.
  // Describing the elements that are in order takes a third of the time.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (
    onlyColours ? builder.withRules('color-contrast') : builder.withTags(STANDARD)
  ).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

export const NARROWEST = { width: 320, height: 640 }

/** Shows the open page in the narrowest window with letters twice as large, as a phone's setting does. */
export async function enlargeLetters(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: ENLARGED_PX } })
  await page.setViewportSize(NARROWEST)
}

export const ENLARGED_PX = 32

/** Expects an accessible page in both colour schemes, and no overflow in the narrowest window. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axe(page, { onlyColours: true })).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  const size = page.viewportSize()!
  await page.setViewportSize(NARROWEST)
  expect(await overflowing(page)).toEqual([])
  await page.setViewportSize(size)
}

/** Makes toasts appear and disappear at once: they come and go at any moment, also during an analysis. */
async function stopFadingToasts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const styles = new CSSStyleSheet()
    styles.replaceSync('[data-sonner-toast], [data-sonner-toast] * { transition: none !important }')
    document.adoptedStyleSheets.push(styles)
  })
}

/** Waits until fades and colour transitions have ended. Ignores endless animations, such as skeletons. */
async function coloursSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isOfColours = (animation: Animation) =>
      !(animation instanceof CSSTransition) || /color|opacity|shadow|fill|stroke/.test(animation.transitionProperty)
    const isEnding = ({ playState, effect }: Animation) => {
      // For scroll-driven animations endTime is not a number.
      const end = effect?.getComputedTiming().endTime
      return playState === 'running' && typeof end === 'number' && Number.isFinite(end)
    }
    const fading = document.getAnimations().filter(animation => isOfColours(animation) && isEnding(animation))
    await Promise.allSettled(fading.map(({ finished }) => finished))
  })
}

/** The elements that make the page wider than the window. Scrollable boxes may contain wider ones. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const wide = [...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > width + 1)
    return [`${document.documentElement.scrollWidth} > ${width}`, ...wide.map(each => each.outerHTML.slice(0, 150))]
  })
}

const MAX_FRAME_MS = 1000

/** Scrolls to the end and back like a reader, so that pictures load and carousels start. */
export async function readThrough(page: Page): Promise<void> {
  await page.evaluate(async longestMs => {
    // A busy browser may not draw a frame for a long time.
    const frame = () =>
      new Promise(resolve => {
        requestAnimationFrame(resolve)
        setTimeout(resolve, longestMs)
      })
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: 'instant' })
      await frame()
      await frame()
    }
  }, MAX_FRAME_MS)
  await settled(page)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/** Smaller shifts are ignored until the page has arrived. */
const WHILE_ARRIVING = 0.005
const FRAMES_AFTER_ARRIVAL = 6

/** Measures layout shifts on the pages opened from here on. Returns a function that returns their sum. */
export async function measureShifts(page: Page): Promise<() => Promise<{ sum: number; moved: string[] }>> {
  await page.addInitScript(
    ([whileArriving, frames]) => {
      let arrivedAt = Infinity
      // The end of the page is painted some frames after it was parsed, however long a busy machine takes per frame.
      const waitForFrames = (count: number) => {
        if (count === 0) arrivedAt = performance.now()
        else requestAnimationFrame(() => waitForFrames(count - 1))
      }
      document.addEventListener('DOMContentLoaded', () => waitForFrames(frames))
      const isArriving = ({ startTime }: PerformanceEntry) => startTime < arrivedAt
      const shifts = { sum: 0, moved: [] as string[] }
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries() as (PerformanceEntry & Shift)[]) {
          if (entry.hadRecentInput || (isArriving(entry) && entry.value < whileArriving)) continue
          shifts.sum += entry.value
          for (const { node, previousRect, currentRect } of entry.sources) {
            const what = node instanceof Element ? node.outerHTML.slice(0, 150) : String(node?.textContent)
            const [from, to] = [previousRect, currentRect].map(rect => JSON.stringify(rect))
            shifts.moved.push(`${what} from ${from} to ${to} after ${Math.round(entry.startTime)} ms`)
          }
        }
      }).observe({ type: 'layout-shift', buffered: true })
    },
    [WHILE_ARRIVING, FRAMES_AFTER_ARRIVAL] as const,
  )
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number; moved: string[] } }).shifts)
}

interface Shift {
  value: number
  hadRecentInput: boolean
  sources: { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}
