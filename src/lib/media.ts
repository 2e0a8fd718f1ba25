const MEDIA = /^(\/media\/[0-9a-f]{64}\/)\d+\.webp$/

/** The same picture in another width. URLs outside our media folder stay unchanged. */
export function pictureAt(image: string, width: 160 | 320 | 640 | 960 | 1280): string {
  return image.replace(MEDIA, `$1${width}.webp`)
}

/** The same picture in another width as AVIF; undefined for URLs outside our media folder. */
export function avifAt(image: string, width: 960 | 1280): string | undefined {
  return MEDIA.test(image) ? image.replace(MEDIA, `$1${width}.avif`) : undefined
}
