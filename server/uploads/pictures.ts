import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { MAX_FILE_BYTES } from '#contract/chat.ts'
import { restrain } from '../media/picture.ts'
import { InvalidInputError, UnavailableError } from '../platform/errors.ts'
import { openTurns } from '../platform/turns.ts'

interface Drawing {
  from: string
  to: string
  /** The sender's. A network's pictures are drawn one after the other, so that no other waits for all of them. */
  network: string
  /** Longer sides are made as long as this. */
  maxPx: number | undefined
}

interface Drawn {
  size: number
  width: number
  height: number
}

/** Limit for all frames of an animation together. */
const MEGAPIXELS = 40
const INPUT = { limitInputPixels: MEGAPIXELS * 1_000_000, failOn: 'error', animated: true } as const
/** Each frame takes time besides its pixels, and a megabyte may contain 70,000 frames. */
const MAX_FRAMES = 1000
/** One at a time, because the largest picture needs 400 MB of memory. */
const WORKERS = 1
const MAX_WAITING = 20
const SECONDS = 20

const work = pLimit(WORKERS)
const { inTurn } = openTurns()
/** Apart from customers' pictures, for which visitors would wait. Only small pictures of reviews have thumbnails. */
const thumbnailWork = pLimit(WORKERS)

const ENCODERS: Record<string, (picture: Sharp) => Sharp> = {
  'image/jpeg': picture => picture.jpeg({ quality: 85 }),
  'image/png': picture => picture.png(),
  'image/webp': picture => picture.webp({ quality: 85, effort: 2 }),
  'image/gif': picture => picture.gif({ effort: 4 }),
}

/**
 * Re-encodes a picture in the same format: upright, without metadata or other content, animations preserved. Throws an
 * `InvalidInputError` for a damaged or too large picture, and an `UnavailableError` when too many pictures are waiting
 * or it takes more than 20 s.
 */
export async function redraw(name: string, mimeType: string, drawing: Drawing): Promise<Drawn> {
  if (work.pendingCount >= MAX_WAITING) throw new UnavailableError('Too many pictures are being sent')
  restrain(sharp)
  return inTurn(drawing.network, () => work(() => drawAnew(name, mimeType, drawing)))
}

async function drawAnew(name: string, mimeType: string, { from, to, maxPx }: Drawing): Promise<Drawn> {
  const encode = ENCODERS[mimeType]
  if (!encode) throw new Error(`${mimeType} is not a type of picture`)
  const read = sharp(from, INPUT)
  const { pages = 1 } = await read.metadata().catch((error: Error) => fail(name, error))
  if (pages > MAX_FRAMES) throw new InvalidInputError(`${name}: the picture has more than ${MAX_FRAMES} frames`)
  // Created here, so that other users cannot read it.
  await (await open(to, 'wx', 0o600)).close()
  const { size, width, height, pageHeight } = await encode(fitted(read.autoOrient(), maxPx))
    .timeout({ seconds: SECONDS })
    .toFile(to)
    .catch((error: Error) => fail(name, error))
  if (size > MAX_FILE_BYTES) throw new InvalidInputError(`${name}: the picture is too large`)
  return { size, width, height: pageHeight ?? height }
}

function fitted(picture: Sharp, maxPx: number | undefined): Sharp {
  if (maxPx === undefined) return picture
  return picture.resize({ width: maxPx, height: maxPx, fit: 'inside', withoutEnlargement: true })
}

/** A square section of a stored picture as WebP. Throws an `UnavailableError` when too many pictures are waiting. */
export async function makeThumbnail(original: Readable, sizePx: number): Promise<Buffer> {
  if (thumbnailWork.pendingCount >= MAX_WAITING) {
    original.destroy()
    throw new UnavailableError('Too many pictures are being made')
  }
  restrain(sharp)
  return thumbnailWork(async () => {
    const picture = sharp({ ...INPUT, animated: false }).resize(sizePx, sizePx, { fit: 'cover' })
    const drawn = picture.webp({ quality: 75, effort: 2 }).toBuffer()
    await Promise.all([pipeline(original, picture), drawn])
    return drawn
  })
}

function fail(name: string, { message }: Error): never {
  // A full disk is not the customer's fault.
  if (/ENOSPC|No space left|write error/i.test(message))
    throw new UnavailableError('There is no room for files right now')
  if (message.startsWith('timeout')) throw new UnavailableError('Too many pictures are being sent')
  if (message.includes('pixel limit'))
    throw new InvalidInputError(`${name}: the picture has more than ${MEGAPIXELS} megapixels`)
  throw new InvalidInputError(`${name}: the picture is damaged`)
}
