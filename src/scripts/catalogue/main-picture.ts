const FOLDER = /\/media\/[0-9a-f]{64}\//g

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
