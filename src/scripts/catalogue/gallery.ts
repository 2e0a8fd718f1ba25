import { leadsElsewhere } from '#lib/clicks.ts'

const ENDS = ['pointerup', 'pointercancel'] as const
const FOLDER = /\/media\/[0-9a-f]{64}\//g

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

/** Shows one of the product's pictures as the main picture, if its gallery has it. */
export function showPicture(image: string): void {
  const folder = image.match(FOLDER)?.[0]
  const thumb = folder && document.querySelector<HTMLAnchorElement>(`a[data-view][href*="${folder}"]`)
  if (thumb) showView(thumb)
}

export function showFirstPicture(): void {
  const thumb = document.querySelector<HTMLAnchorElement>('a[data-view]')
  if (thumb) showView(thumb)
}

/** Shows a thumbnail's picture as the main one. Returns whether it could be shown. */
export function showView(thumb: HTMLAnchorElement): boolean {
  const main = document.querySelector<HTMLAnchorElement>('[data-main]')
  const folder = thumb.href.match(FOLDER)?.[0]
  const images = [...(main?.querySelectorAll('img') ?? [])]
  const shown = images.at(-1)
  if (!main || !shown || !folder || shown.src.search(FOLDER) < 0) return false
  for (const picture of [...main.querySelectorAll('source'), ...images])
    picture.srcset = picture.srcset.replaceAll(FOLDER, folder)
  for (const image of images) image.src = image.src.replace(FOLDER, folder)
  shown.alt = thumb.dataset.view ?? shown.alt
  main.href = thumb.href
  document.querySelector('[data-gallery] a[aria-current]')?.removeAttribute('aria-current')
  thumb.ariaCurrent = 'true'
  return true
}
