import type { default as Sharp } from 'sharp'
import { Refusal } from '../http/errors.ts'

export const WIDTHS = [160, 320, 640, 960, 1280] as const
export const FORMATS = ['webp', 'avif'] as const
export type Width = (typeof WIDTHS)[number]
export type Format = (typeof FORMATS)[number]

const READABLE = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(kind => `VipsForeignLoad${kind}`)
const MEGAPIXELS = 40
const INPUT = { limitInputPixels: MEGAPIXELS * 1_000_000, failOn: 'error' } as const
const QUALITY = { webp: { quality: 78 }, avif: { quality: 50, effort: 2 } }
// WebP ends at 16,383 pixels; a strip this tall is of no use as a product picture anyway.
const TALLEST = 4

let isRestrained = false

/**
 * Lets only the loaders of the five accepted kinds read anything in this process: no SVG, PDF or TIFF parser sees an
 * upload. Keeps nothing of what was worked out: no rendition is made twice.
 */
export function restrain(sharp: typeof Sharp): void {
  // Pictures may be read at this moment.
  if (isRestrained) return
  isRestrained = true
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
}

/** Loaded with the first picture. */
async function openSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  restrain(sharp)
  return sharp
}

/** The size as it is shown (EXIF orientation applied). Judges by content and refuses (422) whatever is not one of the five kinds. */
export async function measurePicture(bytes: Buffer): Promise<{ width: number; height: number }> {
  const sharp = await openSharp()
  const read = async () => sharp(bytes, INPUT).metadata()
  const { mediaType, autoOrient } = await read().catch(refuse)
  if (!mediaType || !READABLE.includes(mediaType)) return refuse()
  return { width: autoOrient.width, height: autoOrient.height }
}

/** Upright, without metadata, at most `width` wide and never larger than the original. `original` is a path or the bytes. */
export async function encodePicture(original: string | Buffer, width: Width, format: Format): Promise<Buffer> {
  const sharp = await openSharp()
  return sharp(original, INPUT)
    .autoOrient()
    .resize({ width, height: width * TALLEST, fit: 'inside', withoutEnlargement: true })
    .toFormat(format, QUALITY[format])
    .toBuffer()
}

/** Like `encodePicture` for bytes nobody has decoded yet: pixels that cannot be read are a refusal (422), not a fault. */
export function encodeNewPicture(bytes: Buffer, width: Width, format: Format): Promise<Buffer> {
  return encodePicture(bytes, width, format).catch(() => {
    throw new Refusal(422, 'Not a picture: the file is damaged')
  })
}

function refuse(error?: Error): never {
  if (error?.message.includes('pixel limit')) {
    throw new Refusal(422, `Not a picture: more than ${MEGAPIXELS} megapixels`)
  }
  throw new Refusal(422, 'Not a picture: a JPEG, PNG, WebP, GIF or AVIF file is needed')
}
