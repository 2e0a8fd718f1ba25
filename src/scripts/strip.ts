import { CAROUSEL_TRANSITION_MS } from '#lib/constants.ts'

/**
 * Advances a carousel by one slide at a time, and from the end back to the start, until it is paused. The shopper can
 * still scroll it natively. Much smaller than Swiper, which would be too much for a few thumbnails.
 */
export function startStrip(carousel: HTMLElement): void {
  const view = carousel.querySelector<HTMLElement>('.carousel-view')
  const pause = carousel.querySelector<HTMLButtonElement>('[data-pause]')
  const slide = view?.querySelector<HTMLElement>('.carousel-slide')
  if (!view || !slide || !pause) return
  let isPlaying = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Restarts the interval after every scroll, including the shopper's own. */
  const wait = () => {
    clearTimeout(timer)
    if (isPlaying) timer = setTimeout(moveOn, Number(carousel.dataset.autoplay))
  }
  const moveOn = () => {
    const end = view.scrollWidth - view.clientWidth
    const isHeld = view.matches(':hover, :focus-within')
    if (!isHeld)
      animateScroll(view, view.scrollLeft > end - slide.clientWidth / 2 ? 0 : view.scrollLeft + slide.clientWidth)
    wait()
  }
  const play = (isWanted: boolean) => {
    isPlaying = isWanted
    carousel.toggleAttribute('data-playing', isPlaying)
    pause.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
    wait()
  }

  carousel.dataset.awake = 'strip'
  view.addEventListener('scroll', wait, { passive: true })
  pause.addEventListener('click', () => play(!isPlaying))
  play(!matchMedia('(prefers-reduced-motion: reduce)').matches)
}

/** Scrolls in `CAROUSEL_TRANSITION_MS`. Browsers choose the duration of a smooth scroll themselves. */
function animateScroll(view: HTMLElement, to: number): void {
  const from = view.scrollLeft
  const beganAt = performance.now()
  // Snapping would undo each step.
  view.style.scrollSnapType = 'none'
  const draw = (now: number) => {
    const part = Math.min(1, Math.max(0, (now - beganAt) / CAROUSEL_TRANSITION_MS))
    view.scrollLeft = from + (to - from) * part * (2 - part)
    if (part < 1) requestAnimationFrame(draw)
    else view.style.scrollSnapType = ''
  }
  requestAnimationFrame(draw)
}
