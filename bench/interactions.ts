import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright'
import { login } from '#contract/auth.ts'
import { CUSTOMER_TOKEN } from '#lib/accounts/storage.ts'
import { CHROMIUM_FLAGS, findOrInstallChromium } from '#tests/support/browser/chromium.ts'
import { PRODUCT } from '#tests/support/browser/page-kinds.ts'
import { type RunningShop, startShop } from '#tests/support/provider/shop.ts'
import { askOnce, buildIfNeeded, NO_LIMITS, quantile, restOf } from './load.ts'
import { ACTIONS, type Action, NEXT_PRODUCT, type Visit, VISITS } from './interaction-list.ts'
import { visitPrerendered } from './prerendered.ts'

const WINDOWS = [
  { name: '390 px', viewport: { width: 390, height: 844 }, hasTouch: true },
  { name: '1280 px', viewport: { width: 1280, height: 900 }, hasTouch: false },
]
/**
 * No emulation of media, nor of a phone (`isMobile`): for both, Chromium styles the whole page again when the next one
 * begins, which no real device does.
 */
const NO_EMULATION = { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null }
const SLOWDOWN = 4
/** How long a shopper looks at a page before the click. */
const LOOK_MS = 2500
/** How long the pointer rests on a link before the click. */
const REST_MS = 400
const PATIENCE_MS = 15_000
/** Fixed, because a check whether the effect is shown would run in the page, beside what is measured. */
const EFFECT_MS = 6000
const WARM = [PRODUCT, '/products', '/products?category=Audio', '/dashboard/chat']

interface Timed {
  /** From pointerdown to the frame that shows the effect. */
  effect: number
  /** The longest Event Timing entry of the interaction. */
  event: number
}

/**
 * Times what a shopper touches in a browser with a slow processor: from pointerdown to the frame that shows the effect.
 * Medians and the slowest of several runs, each on a page of its own.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      width: { type: 'string', default: '' },
    },
  })
  buildIfNeeded()
  const shop = await startShop({ DEMO: 'on', LIMITS: NO_LIMITS })
  const program = findOrInstallChromium()
  const browser = await chromium.launch({ executablePath: program, args: CHROMIUM_FLAGS })
  try {
    await askOnce(shop.url, WARM, 1, shop.pid)
    // After its start, the shop makes small pictures in the background, using both processors.
    await restOf(shop.pid)
    for (const { name, ...window } of WINDOWS) {
      if (!name.startsWith(values.width)) continue
      const works = worksIn(window, { shop, browser, program })
      const table: Record<string, object> = {}
      for (const [action, work] of Object.entries(works)) {
        if (action.includes(values.only)) table[action] = summary(await repeat(shop, Number(values.runs), work))
      }
      console.log(`\n${name}, processor ${SLOWDOWN} times slower, ${values.runs} runs; ms`)
      console.table(table)
    }
  } finally {
    await browser.close()
    await shop.stop()
  }
}

type Window = Omit<(typeof WINDOWS)[number], 'name'>
type Work = (token: string) => Promise<Timed>

/** What is measured in a window, by name. */
function worksIn(window: Window, { shop, browser, program }: Environment): Record<string, Work> {
  const works: Record<string, Work> = {}
  for (const action of ACTIONS) {
    if (action.onlyAt && action.onlyAt !== window.viewport.width) continue
    works[action.name] = token => onNewPage(browser, shop, token, window, page => timeAction(page, action))
  }
  for (const visit of VISITS) {
    works[visit.name] = token =>
      onNewPage(browser, shop, visit.isForVisitors ? null : token, window, page => timeVisit(page, visit))
  }
  const next = { path: shop.url + PRODUCT, link: NEXT_PRODUCT, slowdown: SLOWDOWN, lookMs: LOOK_MS, window }
  works['product to product, prerendered'] = async () => {
    const { effect, isPrerendered } = await visitPrerendered(program, next)
    if (!isPrerendered) throw new Error('The browser has not prerendered the next product.')
    return { effect, event: Number.NaN }
  }
  return works
}

interface Environment {
  shop: RunningShop
  browser: Browser
  program: string
}

async function repeat(shop: RunningShop, runs: number, work: Work): Promise<Timed[]> {
  // A token is valid for ten minutes, and pages with an expired one lead to the login.
  const token = await logIn(shop)
  // This one fills caches and is not counted.
  await work(token)
  const all: Timed[] = []
  while (all.length < runs) all.push(await work(token))
  return all
}

async function logIn(shop: RunningShop): Promise<string> {
  const answer = await fetch(`${shop.url}/api${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'demo@piazza.example', password: 'Piazza-2025!' }),
  })
  return ((await answer.json()) as { token: string }).token
}

async function onNewPage<T>(
  browser: Browser,
  shop: RunningShop,
  token: string | null,
  window: Parameters<Browser['newContext']>[0],
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context: BrowserContext = await browser.newContext({ ...window, ...NO_EMULATION, baseURL: shop.url })
  try {
    if (token)
      await context.addInitScript(([key, value]) => localStorage.setItem(key, value), [CUSTOMER_TOKEN, token] as const)
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    return await work(page)
  } finally {
    await context.close()
  }
}

async function timeAction(page: Page, { path, before, target, effect }: Action): Promise<Timed> {
  await page.goto(path)
  await page.waitForTimeout(LOOK_MS)
  await before?.(page)
  const control = target(page)
  await control.scrollIntoViewIfNeeded()
  await page.waitForTimeout(REST_MS)
  await page.evaluate(`(${watchEffect.toString()})(() => ${effect})`)
  await press(page, control)
  await page.waitForTimeout(EFFECT_MS)
  return page.evaluate(() => {
    const { pressedAt, shownAt, longest } = window as unknown as Watched
    if (!shownAt) throw new Error('The effect has not been shown.')
    return { effect: shownAt - pressedAt, event: longest }
  })
}

interface Watched {
  pressedAt: number
  shownAt: number
  longest: number
}

/** Runs in the page: records the next pointerdown, the first frame that shows the effect, and Event Timing. */
function watchEffect(isShown: () => unknown): void {
  const watched = window as unknown as Watched
  const before = String(isShown())
  const hasChanged = () => (String(isShown()) !== before ? isShown() : false)
  Object.assign(watched, { pressedAt: 0, shownAt: 0, longest: 0 })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) watched.longest = Math.max(watched.longest, entry.duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  addEventListener('pointerdown', ({ timeStamp }) => (watched.pressedAt ||= timeStamp), { capture: true, once: true })
  const look = () => {
    // A task from a frame runs after its paint. A timeout would also wait for everything that was queued before it.
    if (hasChanged())
      void scheduler.postTask(() => (watched.shownAt = performance.now()), { priority: 'user-blocking' })
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/**
 * From pointerdown on a link to the first frame of the next page that shows `shown`; without it, to the page's largest
 * paint.
 */
async function timeVisit(page: Page, { path, link, shown }: Visit): Promise<Timed> {
  await page.addInitScript(watchVisit, shown)
  await page.goto(path)
  await page.waitForTimeout(LOOK_MS)
  const control = link(page)
  await control.scrollIntoViewIfNeeded()
  await page.waitForTimeout(REST_MS)
  await press(page, control)
  await page.waitForTimeout(EFFECT_MS)
  return page.evaluate(hasMark => {
    const pressedAt = Number(localStorage.getItem('pressedAt'))
    const largest = new PerformanceObserver(() => undefined)
    largest.observe({ type: 'largest-contentful-paint', buffered: true })
    const paint = hasMark
      ? Number(localStorage.getItem('shownAt') ?? Number.NaN)
      : performance.timeOrigin + (largest.takeRecords().at(-1)?.startTime ?? Number.NaN)
    if (!(paint > pressedAt)) throw new Error('The next page has not been shown.')
    return { effect: paint - pressedAt, event: Number.NaN }
  }, shown !== undefined)
}

/** In each page: notes in storage when a link was pressed and when `shown` was painted, by the clock. */
function watchVisit(shown: string | undefined): void {
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => localStorage.setItem('pressedAt', String(performance.timeOrigin + timeStamp)),
    { capture: true },
  )
  if (!shown) return
  const look = () => {
    if (document.querySelector(shown))
      void scheduler.postTask(
        () => localStorage.setItem('shownAt', String(performance.timeOrigin + performance.now())),
        { priority: 'user-blocking' },
      )
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** `force`: otherwise Playwright checks during the touch, in the page, that nothing covers the control. */
async function press(page: Page, control: Locator): Promise<void> {
  if (page.viewportSize()!.width < 768) return control.tap({ force: true })
  await control.hover()
  await page.waitForTimeout(REST_MS)
  return control.click({ force: true })
}

function summary(all: Timed[]): object {
  const sorted = (of: (timed: Timed) => number) => all.map(of).toSorted((a, b) => a - b)
  const effects = sorted(({ effect }) => effect)
  const events = sorted(({ event }) => event)
  return {
    median: Math.round(quantile(effects, 0.5)),
    slowest: Math.round(quantile(effects, 1)),
    'Event Timing': Math.round(quantile(events, 0.5)),
  }
}
