import { vi } from 'vitest'
import { PageEvents } from './page-events.ts'

const event = (type: string, rest: object) => Object.assign(new Event(type), rest)

/** Stubs the parts of a browser page that stores use. Returns functions that trigger its events. */
export function stubPage() {
  const page = new PageEvents()
  const shown = Object.assign(new PageEvents(), { visibilityState: 'visible' })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  vi.stubGlobal('document', shown)
  vi.stubGlobal('navigator', { onLine: true, userActivation: { hasBeenActive: false } })
  return {
    /** Another tab announces a change of the topic. */
    announce: (topic: string) => page.dispatchEvent(event('storage', { key: `${topic}Changed` })),
    /** The page is shown; `persisted` means from the back/forward cache. */
    show: (persisted: boolean) => page.dispatchEvent(event('pageshow', { persisted })),
    goOnline: () => page.dispatchEvent(new Event('online')),
    look: (isVisible: boolean) => {
      shown.visibilityState = isVisible ? 'visible' : 'hidden'
      shown.dispatchEvent(new Event('visibilitychange'))
    },
  }
}
