import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHROMIUM_FLAGS } from '#tests/support/browser/chromium.ts'

/**
 * Only Chromium for Android prepares links because they are in view. The second feature is needed for the first, says
 * Chromium's `features.h`.
 */
const AS_ON_ANDROID =
  '--enable-features=PreloadingEagerViewportHeuristics,NavigationPredictor:random_anchor_sampling_period/1'

interface Window {
  viewport: { width: number; height: number }
  hasTouch: boolean
}

interface Attached {
  sessionId: string
  targetInfo: { type: string; subtype?: string }
}

interface Message {
  id?: number
  method?: string
  params?: Attached
  result?: unknown
  error?: { message: string }
}

export interface Visited {
  /** From pointerdown to the next page's first frame. */
  effect: number
  isPrerendered: boolean
}

/**
 * Follows a link of a page, at which the pointer rests before, in a browser of its own that speaks the DevTools
 * protocol: Chromium prerenders nothing for a client that attaches to pages instead of tabs, as Playwright does.
 */
export async function visitPrerendered(
  program: string,
  {
    path,
    link,
    window,
    slowdown,
    lookMs,
  }: {
    path: string
    /** Selector of the link. */
    link: string
    window: Window
    slowdown: number
    /** How long a shopper looks at the page, and then at the link. */
    lookMs: number
  },
): Promise<Visited> {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-browser-'))
  const flags = [...CHROMIUM_FLAGS, `--user-data-dir=${folder}`, '--remote-debugging-port=0', '--headless']
  if (window.hasTouch) flags.push(AS_ON_ANDROID)
  // A group of its own: the program may be a script that starts the browser.
  const browser = spawn(program, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const ended = once(browser, 'exit')
  try {
    const { send, onAttached } = await connect(browser.stderr)
    const pages: Attached[] = []
    onAttached(page => {
      pages.push(page)
      void prepare(send, page.sessionId, window, slowdown)
    })
    const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', forTab: true })
    const tab = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
    await send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, tab.sessionId)
    await sleep(200)
    const first = pages[0]!.sessionId
    await send('Page.navigate', { url: path }, first)
    await sleep(lookMs)
    const find = `(${middleOf.toString()})(${JSON.stringify(link)})`
    const spot = await evaluateIn<{ x: number; y: number }>(send, first, find)
    await sleep(lookMs)
    await press(send, first, spot, window.hasTouch, lookMs)
    await sleep(2 * lookMs)
    return await evaluateIn<Visited>(send, await shownOf(send, pages), `(${readVisit.toString()})()`)
  } finally {
    process.kill(-browser.pid!)
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** The session of the page in the window: others were prepared, too, or are gone. */
async function shownOf(send: Send, pages: Attached[]): Promise<string> {
  const isShown = `document.visibilityState === 'visible'`
  for (const { sessionId } of pages.toReversed())
    if (await evaluateIn<boolean>(send, sessionId, isShown).catch(() => false)) return sessionId
  throw new Error('No page is shown.')
}

type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>

async function connect(output: NodeJS.ReadableStream) {
  const address = await new Promise<string>(resolve => {
    let text = ''
    output.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const [, found] = /DevTools listening on (\S+)/.exec(text) ?? []
      if (found) resolve(found)
    })
  })
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Message) => void>()
  let tellAttached: (page: Attached) => void = () => undefined
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (message.method === 'Target.attachedToTarget' && message.params?.targetInfo.type === 'page')
      tellAttached(message.params)
  })
  const send: Send = async (method, params = {}, sessionId) => {
    const id = waiting.size + 1
    const answer = new Promise<Message>(resolve => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params, sessionId }))
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result as never
  }
  return { send, onAttached: (listener: typeof tellAttached) => (tellAttached = listener) }
}

async function prepare(send: Send, sessionId: string, { viewport, hasTouch }: Window, rate: number): Promise<void> {
  const calls: [string, object?][] = [
    ['Page.enable'],
    ['Emulation.setCPUThrottlingRate', { rate }],
    ['Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false }],
    ['Emulation.setTouchEmulationEnabled', { enabled: hasTouch }],
    ['Page.addScriptToEvaluateOnNewDocument', { source: `(${watchVisit.toString()})()` }],
    ['Runtime.runIfWaitingForDebugger'],
  ]
  await Promise.allSettled(calls.map(([method, params]) => send(method, params, sessionId)))
}

async function evaluateIn<T>(send: Send, sessionId: string, expression: string): Promise<T> {
  const { result } = await send<{ result: { value: T } }>(
    'Runtime.evaluate',
    { expression, returnByValue: true },
    sessionId,
  )
  return result.value
}

async function press(
  send: Send,
  sessionId: string,
  spot: { x: number; y: number },
  isTouch: boolean,
  restMs: number,
): Promise<void> {
  const mouse = (type: string, more = {}) => send('Input.dispatchMouseEvent', { type, ...spot, ...more }, sessionId)
  const touch = (type: string, touchPoints: object[]) =>
    send('Input.dispatchTouchEvent', { type, touchPoints }, sessionId)
  if (isTouch) {
    await touch('touchStart', [spot])
    void touch('touchEnd', []).catch(() => undefined)
    return
  }
  await mouse('mouseMoved')
  await sleep(restMs)
  await mouse('mousePressed', { button: 'left', clickCount: 1 })
  // The page may have been replaced before it can answer.
  void mouse('mouseReleased', { button: 'left', clickCount: 1 }).catch(() => undefined)
}

/** In the page: scrolls to a link and returns where it is. */
function middleOf(selector: string): { x: number; y: number } {
  const link = document.querySelector(selector)!
  link.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = link.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}

/**
 * In each page: notes in storage, by the clock, when the pointer was pressed and when this page had its first frame.
 */
function watchVisit(): void {
  const note = (name: string, time: number) => localStorage.setItem(name, String(performance.timeOrigin + time))
  const noteFrame = () =>
    requestAnimationFrame(() =>
      scheduler.postTask(() => note('shownAt', performance.now()), { priority: 'user-blocking' }),
    )
  addEventListener('pointerdown', ({ timeStamp }) => note('pressedAt', timeStamp), { capture: true })
  if ((document as Document & { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', noteFrame)
  else
    new PerformanceObserver(list =>
      note('shownAt', list.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
    ).observe({ type: 'paint', buffered: true })
}

/** In the last page. */
function readVisit(): Visited {
  const [navigation] = performance.getEntriesByType('navigation')
  return {
    effect: Number(localStorage.getItem('shownAt')) - Number(localStorage.getItem('pressedAt')),
    isPrerendered: (navigation as PerformanceNavigationTiming & { activationStart: number }).activationStart > 0,
  }
}
