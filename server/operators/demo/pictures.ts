import pLimit from 'p-limit'
import type { StoredPicture } from '#server/db/schema.ts'
import { absent } from '#server/media/files.ts'
import type { Media } from '#server/media/store.ts'
import { readPictureFile } from './content.ts'

const AT_ONCE = 8

export type PictureOf = (name: string, alt?: string) => StoredPicture | null

/** Stores the demo's pictures. Returns a function that finds them by file name; null for missing files. */
export async function addPictures(media: Pick<Media, 'add'>, names: string[]): Promise<PictureOf> {
  const limit = pLimit(AT_ONCE)
  const hashes = new Map<string, string>()
  const add = async (name: string) => {
    const bytes = await readPictureFile(name).catch(absent)
    if (bytes) hashes.set(name, await media.add(bytes))
  }
  await Promise.all(names.map(name => limit(() => add(name))))
  return (name, alt) => {
    const hash = hashes.get(name)
    return hash ? { hash, ...(alt && { alt }) } : null
  }
}
