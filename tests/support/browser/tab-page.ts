import { vi } from 'vitest'

const event = (type: string, rest: object) => Object.assign(new Event(type), rest)

/** A page of a browser, as far as stores know one, with what happens to it. */
export function stubPage() {
  const page = new EventTarget()
  const shown = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  vi.stubGlobal('document', shown)
  vi.stubGlobal('navigator', { onLine: true, userActivation: { hasBeenActive: false } })
  return {
    /** Another tab tells that what it is about has changed. */
    hear: (topic: string) => page.dispatchEvent(event('storage', { key: `${topic}Changed` })),
    /** The page is shown, from the browser's memory or not. */
    show: (persisted: boolean) => page.dispatchEvent(event('pageshow', { persisted })),
    goOnline: () => page.dispatchEvent(new Event('online')),
    look: (isVisible: boolean) => {
      shown.visibilityState = isVisible ? 'visible' : 'hidden'
      shown.dispatchEvent(new Event('visibilitychange'))
    },
  }
}
