import pLimit from 'p-limit'
import type { Uploads } from '#server/uploads/uploads.ts'
import type { reviewPictures } from '#server/db/schema.ts'
import { absent } from '#server/media/files.ts'
import { type DemoContent, readPictureFile } from './content.ts'
import { demoId, reviewId } from './rows.ts'

const AT_ONCE = 8
/** All of them have this size, in pixels. */
const PICTURE = { mimeType: 'image/webp', width: 768, height: 1024 }

/** Stores the pictures of the demo's reviews, and returns their rows. Missing files are left out. */
export async function addReviewPictures(
  uploads: Pick<Uploads, 'add'>,
  { reviews }: DemoContent,
): Promise<(typeof reviewPictures.$inferInsert)[]> {
  const limit = pLimit(AT_ONCE)
  const add = async (review: string, id: string, name: string) => {
    const bytes = await readPictureFile(name).catch(absent)
    if (!bytes) return []
    const key = await uploads.add(bytes, PICTURE.mimeType)
    return [{ id, reviewId: review, key, originalName: name, size: bytes.length, ...PICTURE }]
  }
  const rows = reviews.flatMap(({ product, images = [] }, place) => {
    // In the order of their ids, in which they are shown.
    const ids = images.map(name => demoId('review-picture', name)).toSorted()
    return images.map((name, at) => limit(() => add(reviewId(product, place), ids[at]!, name)))
  })
  return (await Promise.all(rows)).flat()
}
