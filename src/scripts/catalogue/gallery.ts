import { leadsElsewhere } from '#lib/clicks.ts'

const FOLDER = /\/media\/[0-9a-f]{64}\//g

/** Shows a clicked thumbnail as the main picture. Pictures outside our media folder stay plain links. */
export function connectGallery(): void {
  const gallery = document.querySelector<HTMLElement>('[data-gallery]')
  const main = gallery?.querySelector<HTMLImageElement>('[data-main] img')
  if (!gallery || !main) return
  gallery.addEventListener('click', event => {
    const thumb = (event.target as Element).closest<HTMLAnchorElement>('a[data-view]')
    const folder = thumb?.href.match(FOLDER)?.[0]
    if (!thumb || !folder || main.src.search(FOLDER) < 0 || leadsElsewhere(event)) return
    event.preventDefault()
    for (const picture of [...(main.parentElement?.querySelectorAll('source') ?? []), main])
      picture.srcset = picture.srcset.replaceAll(FOLDER, folder)
    main.src = main.src.replace(FOLDER, folder)
    main.alt = thumb.dataset.view ?? main.alt
    gallery.querySelector('a[aria-current]')?.removeAttribute('aria-current')
    thumb.setAttribute('aria-current', 'true')
  })
}
