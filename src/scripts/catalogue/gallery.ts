import { leadsElsewhere } from '#lib/clicks.ts'
import { showView } from './main-picture.ts'

const ENDS = ['pointerup', 'pointercancel'] as const

/**
 * Shows a clicked thumbnail as the main picture. Swiping and the enlarged view load when the main picture is first
 * touched. Without them, and for thumbnails outside our media folder, all pictures are plain links.
 */
export function connectGallery(): void {
  const gallery = document.querySelector<HTMLElement>('[data-gallery]')
  const load = () => import('./zoom.ts')
  gallery?.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
    if (!link || leadsElsewhere(event)) return
    if (link.dataset.view ? !showView(link) : !link.matches('[data-main]')) return
    event.preventDefault()
    if (!link.dataset.view)
      load()
        .then(({ enlarge }) => enlarge(gallery))
        .catch(() => location.assign(link.href))
  })
  gallery?.querySelector<HTMLElement>('[data-main]')?.addEventListener('pointerdown', down => {
    // The movement may be over before the code has loaded.
    const end = new Promise<PointerEvent>(resolve => {
      for (const type of ENDS) addEventListener(type, resolve, { once: true })
    })
    void load().then(
      ({ swipe }) => swipe(gallery, down, end),
      () => undefined,
    )
  })
}
