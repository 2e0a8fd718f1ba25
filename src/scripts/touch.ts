import type { ClientDirective } from 'astro'
import { whenIdle } from '#lib/idle.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { PART_MISSING } from './unavailable.ts'

const TOUCHES = ['pointerdown', 'focusin', 'keydown'] as const
const NEAR = '3000px'

/**
 * `client:touch`: the island wakes at the first touch; `client:touch="customer"` also when somebody who is signed in
 * comes near it, and `client:touch="soon"` when the page has loaded. Clicks that come before it is awake are held back and
 * given to it afterwards, or to the plain HTML if its code cannot be had (`data-unavailable` and `unavailable.ts` say so
 * then); links need no JavaScript and go where they lead.
 */
const touch: ClientDirective = (load, options, island) => {
  const held: MouseEvent[] = []
  let isWaking = false

  const hold = (event: MouseEvent) => {
    if ((event.target as Element).closest('a[href]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.push(event)
    void wake()
  }

  async function wake(): Promise<void> {
    if (isWaking) return
    isWaking = true
    const isAwake = await hydrated()
    ignore()
    if (!isAwake && held.length > 0) island.dispatchEvent(new Event(PART_MISSING, { bubbles: true }))
    const clicks = held.splice(0)
    // Where nothing can be reached, a form would only lead away from what was said.
    for (const event of isAwake || navigator.onLine ? clicks : []) {
      event.target?.dispatchEvent(new MouseEvent('click', event))
      // The next click must find what this one changed.
      await new Promise(resolve => setTimeout(resolve))
    }
    island.toggleAttribute('data-unavailable', !isAwake)
    if (isAwake) return
    isWaking = false
    listen()
  }

  async function hydrated(): Promise<boolean> {
    try {
      const hydrate = await load()
      await hydrate()
    } catch {
      return false
    }
    // Astro tells of code that it could not fetch in no other way.
    return !island.hasAttribute('ssr')
  }

  function listen(): void {
    for (const type of TOUCHES) island.addEventListener(type, wake, { passive: true })
    island.addEventListener('click', hold, true)
  }

  function ignore(): void {
    for (const type of TOUCHES) island.removeEventListener(type, wake)
    island.removeEventListener('click', hold, true)
  }

  listen()
  if (options.value === 'soon') whenIdle(() => void wake())
  else if (options.value === 'customer' && readToken()) whenNear(island, () => void wake())
}

/** What is in a closed tab is not near, whatever is scrolled. The island itself has no box. */
function whenNear(island: HTMLElement, work: () => void): void {
  const see = (entries: IntersectionObserverEntry[]) => {
    if (!entries.some(entry => entry.isIntersecting)) return
    sight.disconnect()
    work()
  }
  const sight = new IntersectionObserver(see, { rootMargin: NEAR })
  for (const child of island.children) sight.observe(child)
}

export default touch
