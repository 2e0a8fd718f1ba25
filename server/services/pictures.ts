import type { Banner } from '#contract/catalog.ts'
import type { StoredBanner, StoredPicture } from '../db/schema.ts'

const WIDTH = 640

/** The address of a stored picture; undefined for one that is missing or not fetched yet. */
export function pictureAddress(picture: StoredPicture | null): string | undefined {
  return picture?.hash && `/media/${picture.hash}/${WIDTH}.webp`
}

/** A banner is its picture: without one there is nothing to show. */
export function toBanner(id: string, banner: StoredBanner | null): Banner | null {
  const image = banner && pictureAddress(banner.picture)
  if (!banner || !image) return null
  const { title, description, link } = banner
  return { _id: id, image, title, description, ...(link && { link }) }
}
