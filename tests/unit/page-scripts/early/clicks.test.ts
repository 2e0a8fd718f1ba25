import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdClicks, PAGE_AWAKE } from '#page-scripts/early/clicks.ts'
import { TOAST_WAITS } from '#stores/ui/toasts.ts'

let page: EventTarget
const listener = vi.fn<(event: Event) => void>()

beforeEach(() => {
  listener.mockClear()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  // Node.js accepts no boolean here.
  vi.stubGlobal('removeEventListener', (type: string, listener: () => void, capture = false) =>
    page.removeEventListener(type, listener, { capture }),
  )
  holdClicks()
})

afterEach(() => vi.unstubAllGlobals())

/** A field, with or without a form, whose events bubble to the window. */
function field(own: string, form?: string) {
  const matching = (what: string | undefined) => ({
    matches: (selector: string) => what !== undefined && selector.split(',').includes(what),
  })
  const dispatchEvent = (event: Event) => page.dispatchEvent(event)
  return { ...matching(own), form: form ? matching(form) : null, dispatchEvent }
}

function choose(target: ReturnType<typeof field>): Event {
  const event = Object.defineProperty(new Event('change', { bubbles: true }), 'target', { value: target })
  vi.spyOn(event, 'stopPropagation')
  page.dispatchEvent(event)
  return event
}

test('a toast event before the listener exists is dispatched again, once', () => {
  page.dispatchEvent(new Event(TOAST_WAITS))
  page.addEventListener(TOAST_WAITS, listener)

  page.dispatchEvent(new Event(PAGE_AWAKE))
  expect(listener).toHaveBeenCalledTimes(1)
  page.dispatchEvent(new Event(PAGE_AWAKE))
  expect(listener).toHaveBeenCalledTimes(1)
})

test.each([
  ['a field that sends its form', field('[data-submit-on-change]')],
  ['a filter', field('', '[data-filters]')],
  ['the visitor’s country', field('', '[data-visitor-choice]')],
])('the choice in %s is held until the script has loaded', (_, target) => {
  const early = choose(target)
  page.addEventListener('change', listener)
  expect(early.stopPropagation).toHaveBeenCalled()

  page.dispatchEvent(new Event(PAGE_AWAKE))

  expect(listener).toHaveBeenCalledTimes(1)
})

test('the choice in any other field is not held', () => {
  const choice = choose(field('', 'form'))
  page.addEventListener('change', listener)

  page.dispatchEvent(new Event(PAGE_AWAKE))

  expect(choice.stopPropagation).not.toHaveBeenCalled()
  expect(listener).not.toHaveBeenCalled()
})

test.each([
  ['filters', '[data-filters]', 1],
  ['any other form', 'form', 0],
])('%s are submitted by the script or at once', (_, selector, count) => {
  const requestSubmit = vi.fn<() => void>()
  const form = { matches: (asked: string) => asked === selector, requestSubmit }
  const early = Object.defineProperty(new Event('submit', { cancelable: true }), 'target', { value: form })

  page.dispatchEvent(early)
  expect(early.defaultPrevented).toBe(count === 1)
  expect(requestSubmit).not.toHaveBeenCalled()

  page.dispatchEvent(new Event(PAGE_AWAKE))
  expect(requestSubmit).toHaveBeenCalledTimes(count)
})
