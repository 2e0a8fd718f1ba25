import type { ClientDirective } from 'astro'
import { whenIdle } from '#lib/idle.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { step } from './catalogue/shown-quantity.ts'
import { PART_MISSING } from './unavailable.ts'

const TOUCHES = ['pointerdown', 'focusin', 'keydown', 'change'] as const
const NEAR = '3000px'

/**
 * Client directive `client:touch`: hydrates the island at the first touch of anything but a link;
 * `client:touch="customer"` also when a signed-in customer scrolls near it, `client:touch="soon"` also when the page is
 * idle after loading. Earlier clicks are held back and repeated on the hydrated island, or on the plain HTML if its
 * code cannot load (`data-unavailable` is set and `unavailable.ts` shows a message). Links always work natively, and so
 * do elements with `data-native`, whose state the island reads when it is hydrated. The quantity and the heart of a buy
 * box change at once.
 */
const touch: ClientDirective = (load, options, island) => {
  const held: MouseEvent[] = []
  let isHydrating = false

  const touched = ({ target }: Event) => {
    // The page that a link leads to needs the processor.
    if (!(target as Element).closest('a[href]')) void hydrate()
  }

  const hold = (event: MouseEvent) => {
    if ((event.target as Element).closest('a[href], [data-native]')) return
    void hydrate()
    const button = buttonOf(event)
    if (button?.dataset.step && step(button.form!, Number(button.dataset.step))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.push(event)
    // Shows at once that the click was taken: on a slow network, the island's code takes seconds.
    button?.setAttribute('aria-busy', 'true')
    toggleHeart(button)
  }

  async function hydrate(): Promise<void> {
    if (isHydrating) return
    isHydrating = true
    const isHydrated = await tryHydrate()
    stopListening()
    if (!isHydrated && held.length > 0) island.dispatchEvent(new Event(PART_MISSING, { bubbles: true }))
    const clicks = held.splice(0)
    for (const event of clicks) {
      buttonOf(event)?.removeAttribute('aria-busy')
      if (!isHydrated) toggleHeart(buttonOf(event))
    }
    // Offline, submitting the plain form would only navigate away from the notice that the part is unavailable.
    for (const event of isHydrated || navigator.onLine ? clicks : []) {
      event.target?.dispatchEvent(new MouseEvent('click', event))
      // Let React render this click's change before the next click.
      await new Promise(resolve => setTimeout(resolve))
    }
    island.toggleAttribute('data-unavailable', !isHydrated)
    if (isHydrated) return
    isHydrating = false
    listen()
  }

  async function tryHydrate(): Promise<boolean> {
    try {
      const start = await load()
      await start()
    } catch {
      return false
    }
    // `start` does not throw if an import failed.
    return !island.hasAttribute('ssr')
  }

  function listen(): void {
    for (const type of TOUCHES) island.addEventListener(type, touched, { passive: true })
    island.addEventListener('click', hold, true)
  }

  function stopListening(): void {
    for (const type of TOUCHES) island.removeEventListener(type, touched)
    island.removeEventListener('click', hold, true)
  }

  listen()
  if (options.value === 'soon') whenIdle(() => void hydrate())
  else if (options.value === 'customer' && readToken()) whenNear(island, () => void hydrate())
}

function buttonOf({ target }: Event): HTMLButtonElement | null {
  return (target as Element).closest('button')
}

/** Shows a product's heart as it will be once the island has handled the click. Does nothing for visitors. */
function toggleHeart(button: HTMLButtonElement | null): void {
  if (button?.dataset.wish && readToken()) button.toggleAttribute('data-saved')
}

/**
 * Observes the island's children, because the island itself has no box. Content of a hidden tab panel is never near.
 */
function whenNear(island: HTMLElement, work: () => void): void {
  const see = (entries: IntersectionObserverEntry[]) => {
    if (!entries.some(entry => entry.isIntersecting)) return
    observer.disconnect()
    work()
  }
  const observer = new IntersectionObserver(see, { rootMargin: NEAR })
  for (const child of island.children) observer.observe(child)
}

export default touch
