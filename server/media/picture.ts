import type { default as Sharp } from 'sharp'
import { InvalidInputError } from '../platform/errors.ts'

export const WIDTHS = [160, 320, 640, 960, 1280] as const
export const FORMATS = ['webp', 'avif'] as const
export type Width = (typeof WIDTHS)[number]
export type Format = (typeof FORMATS)[number]

const READABLE = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(kind => `VipsForeignLoad${kind}`)
const MEGAPIXELS = 40
const INPUT = { limitInputPixels: MEGAPIXELS * 1_000_000, failOn: 'error' } as const
// With 8 bits, AVIF's blocks show in the soft grounds of product pictures. 10 bits are no larger.
const QUALITY = { webp: { quality: 78 }, avif: { quality: 50, effort: 2, bitdepth: 10 } } as const
// Maximum height per width: WebP allows 16,383 pixels, and taller pictures are useless for products anyway.
const TALLEST = 4

let isRestrained = false

/**
 * Blocks all of sharp's loaders in this process except those of the five accepted formats, so that no SVG, PDF or TIFF
 * parser reads an upload. Turns sharp's cache off, because no rendition is made twice.
 */
export function restrain(sharp: typeof Sharp): void {
  // Once only: blocking the loaders again would disturb pictures that are being read.
  if (isRestrained) return
  isRestrained = true
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
}

/** Loaded on first use. */
async function openSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  restrain(sharp)
  return sharp
}

/**
 * The size with EXIF orientation applied. Throws an `InvalidInputError` if the content is not one of the five formats.
 */
export async function measurePicture(bytes: Buffer): Promise<{ width: number; height: number }> {
  const sharp = await openSharp()
  const read = async () => sharp(bytes, INPUT).metadata()
  const { mediaType, autoOrient } = await read().catch(fail)
  if (!mediaType || !READABLE.includes(mediaType)) return fail()
  return { width: autoOrient.width, height: autoOrient.height }
}

/** Encodes a picture upright, without metadata, at most `width` wide and not enlarged. */
export async function encodePicture(original: Buffer, width: Width, format: Format): Promise<Buffer> {
  const sharp = await openSharp()
  return sharp(original, INPUT)
    .autoOrient()
    .resize({ width, height: width * TALLEST, fit: 'inside', withoutEnlargement: true })
    .toFormat(format, QUALITY[format])
    .toBuffer()
}

/** Like `encodePicture`, for new uploads: throws an `InvalidInputError` if the pixels cannot be read. */
export function encodeNewPicture(bytes: Buffer, width: Width, format: Format): Promise<Buffer> {
  return encodePicture(bytes, width, format).catch(() => {
    throw new InvalidInputError('Not a picture: the file is damaged')
  })
}

function fail(error?: Error): never {
  if (error?.message.includes('pixel limit')) {
    throw new InvalidInputError(`Not a picture: more than ${MEGAPIXELS} megapixels`)
  }
  throw new InvalidInputError('Not a picture: a JPEG, PNG, WebP, GIF or AVIF file is needed')
}
