import { leadsElsewhere } from '#lib/clicks.ts'

const FOLDER = /\/media\/[0-9a-f]{64}\//g

/** Shows a clicked thumbnail as the main picture. Pictures outside our media folder stay plain links. */
export function connectGallery(): void {
  document.querySelector<HTMLElement>('[data-gallery]')?.addEventListener('click', event => {
    const thumb = (event.target as Element).closest<HTMLAnchorElement>('a[data-view]')
    if (thumb && !leadsElsewhere(event) && showView(thumb)) event.preventDefault()
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

/** Returns whether the picture could be shown. */
function showView(thumb: HTMLAnchorElement): boolean {
  const main = document.querySelector<HTMLImageElement>('[data-main] img')
  const folder = thumb.href.match(FOLDER)?.[0]
  if (!main || !folder || main.src.search(FOLDER) < 0) return false
  for (const picture of [...(main.parentElement?.querySelectorAll('source') ?? []), main])
    picture.srcset = picture.srcset.replaceAll(FOLDER, folder)
  main.src = main.src.replace(FOLDER, folder)
  main.alt = thumb.dataset.view ?? main.alt
  document.querySelector('[data-gallery] a[aria-current]')?.removeAttribute('aria-current')
  thumb.setAttribute('aria-current', 'true')
  return true
}
