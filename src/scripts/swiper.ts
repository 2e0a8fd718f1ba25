import Swiper from 'swiper'
import { Autoplay } from 'swiper/modules'
import { CAROUSEL_TRANSITION_MS } from '#lib/constants.ts'

/** Starts Swiper on a carousel's server HTML, at the slide that the shopper has scrolled to. */
export function startSwiper(carousel: HTMLElement): void {
  const view = carousel.querySelector<HTMLElement>('.carousel-view')
  const slides = carousel.querySelectorAll<HTMLElement>('.carousel-slide')
  const [first] = slides
  if (!view || !first) return
  const perView = Math.round(view.clientWidth / first.clientWidth)
  const canLoop = carousel.dataset.loop === 'true' && slides.length >= perView * 2
  const delay = Number(carousel.dataset.autoplay)
  const plays = delay > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches
  const initialSlide = Math.round(view.scrollLeft / first.clientWidth)

  carousel.dataset.awake = ''
  // Swiper scrolls now, so remove the tab stop of the scrolling list; a shopper whose focus is there keeps it.
  const pass = () => view.removeAttribute('tabindex')
  if (document.activeElement === view) view.addEventListener('blur', pass, { once: true })
  else pass()
  view.scrollLeft = 0
  const swiper = new Swiper(view, {
    modules: [Autoplay],
    wrapperClass: 'carousel-track',
    slideClass: 'carousel-slide',
    slidesPerView: 'auto',
    speed: CAROUSEL_TRANSITION_MS,
    loop: canLoop,
    // Count a second click on 'next' while the first still moves.
    loopPreventsSliding: false,
    rewind: !canLoop && delay > 0,
    initialSlide,
    autoplay: plays ? { delay, pauseOnMouseEnter: true, disableOnInteraction: false } : false,
  })
  keepFocusInView(view, swiper)
  bindControls(carousel, swiper, plays, delay)
  stayWhileFocused(view, swiper)
  showNext(swiper, perView)
  swiper.on('slideChange', () => showNext(swiper, perView))
}

/** Requests the next slide's pictures; those of hidden slides wait (`early/pictures.ts`). */
function showNext({ slides, activeIndex }: Swiper, perView: number): void {
  slides[activeIndex + perView]?.querySelectorAll('img').forEach(picture => (picture.hidden = false))
}

function keepFocusInView(view: HTMLElement, swiper: Swiper): void {
  view.addEventListener('focusin', ({ target }) => {
    // Browsers scroll a focused link into view, but here Swiper moves the slides.
    view.scrollLeft = 0
    const slide = (target as Element).closest<HTMLElement>('.carousel-slide')
    if (!slide) return
    const [outer, inner] = [view.getBoundingClientRect(), slide.getBoundingClientRect()]
    const isHidden =
      inner.left < outer.left - slide.clientWidth / 2 || inner.right > outer.right + slide.clientWidth / 2
    if (isHidden) swiper.slideTo(swiper.slides.indexOf(slide), 0)
  })
}

/** Keeps autoplay paused during keyboard focus; Swiper would resume when the pointer leaves or a slide arrives. */
function stayWhileFocused(view: HTMLElement, swiper: Swiper): void {
  const stay = () => {
    if (swiper.autoplay.running && view.matches(':focus-within')) swiper.autoplay.pause()
  }
  view.addEventListener('focusin', stay)
  swiper.on('autoplayResume', stay)
  swiper.on('autoplayStart', stay)
  stay()
  view.addEventListener('focusout', ({ relatedTarget }) => {
    if (!view.contains(relatedTarget as Node | null)) swiper.autoplay.resume()
  })
}

function bindControls(carousel: HTMLElement, swiper: Swiper, plays: boolean, delay: number): void {
  const previous = carousel.querySelector<HTMLButtonElement>('[data-previous]')
  const next = carousel.querySelector<HTMLButtonElement>('[data-next]')
  const pause = carousel.querySelector<HTMLButtonElement>('[data-pause]')
  const bullets = addBullets(carousel, swiper)

  const show = () => {
    const isEndless = swiper.params.loop || swiper.params.rewind
    // `disabled` would take the focus from a button that has reached the end.
    if (previous) previous.ariaDisabled = String(!isEndless && swiper.isBeginning)
    if (next) next.ariaDisabled = String(!isEndless && swiper.isEnd)
    bullets.forEach((bullet, at) => (bullet.ariaCurrent = at === position(swiper) ? 'true' : null))
  }
  previous?.addEventListener('click', () => swiper.slidePrev())
  next?.addEventListener('click', () => swiper.slideNext())
  swiper.on('slideChange', show)
  swiper.on('snapGridLengthChange', show)
  show()

  const play = (isPlaying: boolean) => {
    carousel.toggleAttribute('data-playing', isPlaying)
    pause?.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
    if (isPlaying === swiper.autoplay.running) return
    swiper.params.autoplay = { delay, pauseOnMouseEnter: true, disableOnInteraction: false }
    if (isPlaying) swiper.autoplay.start()
    else swiper.autoplay.stop()
  }
  play(plays)
  pause?.addEventListener('click', () => play(!swiper.autoplay.running))
}

function position(swiper: Swiper): number {
  return swiper.params.loop ? swiper.realIndex : swiper.snapIndex
}

function addBullets(carousel: HTMLElement, swiper: Swiper): HTMLButtonElement[] {
  const place = carousel.querySelector('[data-bullets]')
  if (!place) return []
  const count = swiper.params.loop ? swiper.slides.length : swiper.snapGrid.length
  const bullets = Array.from({ length: count }, (_, at) => {
    const bullet = document.createElement('button')
    bullet.type = 'button'
    bullet.className = 'carousel-bullet'
    bullet.setAttribute('aria-label', `Show slide ${at + 1} of ${count}`)
    bullet.addEventListener('click', () => (swiper.params.loop ? swiper.slideToLoop(at) : swiper.slideTo(at)))
    return bullet
  })
  place.replaceChildren(...bullets)
  return bullets
}
