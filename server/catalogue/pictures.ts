import type { Banner } from '#contract/catalog.ts'
import type { StoredBanner, StoredPicture } from '../db/schema.ts'

const WIDTH = 640

/** The address of a stored picture; undefined for one that is missing or not fetched yet. */
export function pictureAddress(picture: StoredPicture | null): string | undefined {
  return picture?.hash && `/media/${picture.hash}/${WIDTH}.webp`
}

/** The picture with the hash under which one of the same address is known: what was fetched once stays fetched. */
export function keepHash<Picture extends StoredPicture | null>(
  picture: Picture,
  known: (StoredPicture | null | undefined)[],
): Picture {
  if (!picture?.source || picture.hash) return picture
  const hash = known.find(each => each?.source === picture.source)?.hash
  return hash ? { ...picture, hash } : picture
}

/** As `keepHash`, for the picture of a banner. */
export function keepBannerHash<Banner extends StoredBanner | null>(
  banner: Banner,
  known: (StoredBanner | null | undefined)[],
): Banner {
  const pictures = known.map(each => each?.picture)
  return banner && { ...banner, picture: keepHash(banner.picture, pictures) }
}

/** A banner is its picture: without one there is nothing to show. */
export function toBanner(id: string, banner: StoredBanner | null): Banner | null {
  const image = banner && pictureAddress(banner.picture)
  if (!banner || !image) return null
  const { title, description, link } = banner
  return { _id: id, image, title, description, ...(link && { link }) }
}
