import { showView } from './main-picture.ts'

/** After a shorter movement, the picture moves back. */
const MIN_PX = 40

/**
 * Lets the main picture follow a finger sideways, and shows the next or previous picture at the `end` of the movement.
 * The movement may already be over when this is called.
 */
export async function swipe(gallery: HTMLElement, down: PointerEvent, end: Promise<PointerEvent>): Promise<void> {
  const picture = [...gallery.querySelectorAll<HTMLElement>('[data-main] img')].at(-1)
  const thumbs = [...gallery.querySelectorAll<HTMLAnchorElement>('a[data-view]')]
  if (!picture || down.pointerType === 'mouse' || thumbs.length < 2) return
  const movedBy = ({ clientX }: PointerEvent) => clientX - down.clientX
  const follow = (move: PointerEvent) => {
    if (move.pointerId === down.pointerId) picture.style.translate = `${movedBy(move)}px`
  }
  addEventListener('pointermove', follow, { passive: true })
  const up = await end
  removeEventListener('pointermove', follow)
  picture.style.translate = ''
  const moved = movedBy(up)
  if (up.type === 'pointercancel' || Math.abs(moved) < MIN_PX) return
  const at = thumbs.findIndex(thumb => thumb.hasAttribute('aria-current'))
  const next = thumbs.at((at + (moved < 0 ? 1 : -1)) % thumbs.length)
  if (!next) return
  showView(next)
  reveal(next)
}

/** Scrolls the thumbnails until this one is in view. `scrollIntoView` would scroll the page, too. */
export function reveal(thumb: HTMLElement): void {
  const strip = thumb.closest('.carousel-view')
  if (!strip) return
  const [shown, own] = [strip.getBoundingClientRect(), thumb.getBoundingClientRect()]
  strip.scrollLeft += Math.min(0, own.left - shown.left) || Math.max(0, own.right - shown.right)
}

/** Scrolls the thumbnails to that of the picture shown. */
export function revealShown(): void {
  const thumb = document.querySelector<HTMLElement>('[data-gallery] a[aria-current]')
  if (thumb) reveal(thumb)
}
