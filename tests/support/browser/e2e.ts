import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, expect, type Locator, type Page, test as base } from 'playwright/test'
import { followRequests, settled } from './settled.ts'
import { dataDirOf } from '../provider/shop.ts'

export { expect }

interface Faults {
  /** The test brings about a fault that this matches, once or more; without one it fails. */
  expect(pattern: RegExp): Faults
  /** The test may bring about a fault that this matches: whether it does is a matter of time. */
  allow(pattern: RegExp): Faults
}

interface Fixtures {
  /** What the test needs that no shop but its own has; with BASE_URL it is skipped, with this as the reason. */
  ownShop: string | null
  skippedWithBaseUrl: void
  faults: Faults
}

/** Fails every test in which the browser reports an error, a warning, a CSP violation, a failed or a foreign request. */
export const test = base.extend<Fixtures>({
  ownShop: [null, { option: true }],
  async skippedWithBaseUrl({ ownShop }, use, testInfo) {
    testInfo.skip(ownShop !== null && isShopGiven(), `BASE_URL is set, and this needs ${ownShop}`)
    await use()
  },
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
      const unexpected = seen.filter(fault => ![...expected, ...allowed].some(pattern => pattern.test(fault)))
      expect(unexpected, 'faults that the browser reported').toEqual([])
      const missing = expected.filter(pattern => !seen.some(fault => pattern.test(fault)))
      expect(missing, 'faults that the test announced').toEqual([])
    },
    { auto: true },
  ],
})

/** Whether BASE_URL names a shop that this run has not started. */
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
    // A page that is left lets go of the socket that it was opening.
    if (message.text().includes('WebSocket is closed before the connection is established')) return
    if (['error', 'warning'].includes(message.type())) seen.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', error => {
    const what = error.error().stack || error.error().message
    // A page that is left before it was shown has no fade, and Chromium tells even a page that never asked for one.
    if (!/^Transition was (skipped|aborted)/.test(what)) seen.push(`uncaught: ${what}`)
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
    // A browser drops what it was loading when the page is left.
    if (reason !== 'net::ERR_ABORTED') seen.push(`failed: ${request.url()} ${reason}`)
  })
  return seen
}

/** Waits until React has taken over the island around `inside`; wake it by a touch first. */
export async function hydrated(inside: Locator): Promise<void> {
  const island = inside.locator('xpath=ancestor-or-self::astro-island').last()
  await expect(island).not.toHaveAttribute('ssr')
}

const STANDARD = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/** What axe finds on the page as it is, one line for each element; `onlyColours` when nothing else can have changed. */
export async function axe(page: Page, { onlyColours = false } = {}): Promise<string[]> {
  await coloursSettled(page)
  // There are no frames: legacy mode spares a second page for each analysis.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  // A message that fades away may begin to do so at any moment.
  builder.exclude('[data-sonner-toast][data-removed="true"]')
  const { violations } = await (
    onlyColours ? builder.withRules('color-contrast') : builder.withTags(STANDARD)
  ).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** A toast between its place in the page and the beginning of its fading in, or after the end of its fading out. */
const FADING_TOASTS = '[data-sonner-toast]:is([data-mounted="false"], [data-removed="true"])'

/** Waits until what fades or changes its colour has done so; what never ends, as a skeleton, is not waited for. */
async function coloursSettled(page: Page): Promise<void> {
  await expect(page.locator(FADING_TOASTS)).toHaveCount(0)
  await page.evaluate(async () => {
    const isOfColours = (animation: Animation) =>
      !(animation instanceof CSSTransition) || /color|opacity|shadow|fill|stroke/.test(animation.transitionProperty)
    const isEnding = ({ playState, effect }: Animation) => {
      // That of an animation that follows the scroll bar is no number.
      const end = effect?.getComputedTiming().endTime
      return playState === 'running' && typeof end === 'number' && Number.isFinite(end)
    }
    const fading = document.getAnimations().filter(animation => isOfColours(animation) && isEnding(animation))
    await Promise.allSettled(fading.map(({ finished }) => finished))
  })
}

/** The elements that make the page wider than its window; scrollable boxes may hold wider things. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const wide = [...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > width + 1)
    return [`${document.documentElement.scrollWidth} > ${width}`, ...wide.map(each => each.outerHTML.slice(0, 150))]
  })
}

const LONGEST_FRAME_MS = 1000

/** Scrolls to the end and back, as a reader does: pictures load and carousels wake on the way. */
export async function readThrough(page: Page): Promise<void> {
  await page.evaluate(async longestMs => {
    // A busy browser may draw none for a long time.
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
  }, LONGEST_FRAME_MS)
  await settled(page)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/** A row that is painted when half of it has arrived may grow by this; a late font or price moves more, or later. */
const WHILE_ARRIVING = 0.005
const FRAMES_AFTER_ARRIVAL = 6

/** Starts to measure layout shifts on the pages that are opened from here on; the answer tells their sum. */
export async function measureShifts(page: Page): Promise<() => Promise<{ sum: number; moved: string[] }>> {
  await page.addInitScript(
    ([whileArriving, frames]) => {
      let arrivedAt = Infinity
      // The last of it is painted some frames after it has been read, however long a busy machine takes for a frame.
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
