import type { ClientDirective } from 'astro'
import { whenIdle } from '#lib/idle.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { PART_MISSING } from './unavailable.ts'

const TOUCHES = ['pointerdown', 'focusin', 'keydown', 'change'] as const
const NEAR = '3000px'

/**
 * Client directive `client:touch`: hydrates the island at the first touch; `client:touch="customer"` also when a
 * signed-in customer scrolls near it, `client:touch="soon"` also when the page is idle after loading. Earlier clicks
 * are held back and repeated on the hydrated island, or on the plain HTML if its code cannot load (`data-unavailable`
 * is set and `unavailable.ts` shows a message). Links always work natively, and so do elements with `data-native`,
 * whose state the island reads when it is hydrated.
 */
const touch: ClientDirective = (load, options, island) => {
  const held: MouseEvent[] = []
  let isWaking = false

  const hold = (event: MouseEvent) => {
    if ((event.target as Element).closest('a[href], [data-native]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.push(event)
    // Shows at once that the click was taken: on a slow network, the island's code takes seconds.
    buttonOf(event)?.setAttribute('aria-busy', 'true')
    void wake()
  }

  async function wake(): Promise<void> {
    if (isWaking) return
    isWaking = true
    const isAwake = await hydrated()
    stopListening()
    if (!isAwake && held.length > 0) island.dispatchEvent(new Event(PART_MISSING, { bubbles: true }))
    const clicks = held.splice(0)
    for (const event of clicks) buttonOf(event)?.removeAttribute('aria-busy')
    // Offline, submitting the plain form would only navigate away from the notice that the part is unavailable.
    for (const event of isAwake || navigator.onLine ? clicks : []) {
      event.target?.dispatchEvent(new MouseEvent('click', event))
      // Let React render this click's change before the next click.
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
    // Astro reports an island's failed imports in no other way.
    return !island.hasAttribute('ssr')
  }

  function listen(): void {
    for (const type of TOUCHES) island.addEventListener(type, wake, { passive: true })
    island.addEventListener('click', hold, true)
  }

  function stopListening(): void {
    for (const type of TOUCHES) island.removeEventListener(type, wake)
    island.removeEventListener('click', hold, true)
  }

  listen()
  if (options.value === 'soon') whenIdle(() => void wake())
  else if (options.value === 'customer' && readToken()) whenNear(island, () => void wake())
}

function buttonOf({ target }: Event): Element | null {
  return (target as Element).closest('button')
}

/**
 * Observes the island's children, because the island itself has no box. Content of a hidden tab panel is never near.
 */
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
