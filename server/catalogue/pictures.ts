import type { Banner } from '#contract/product.ts'
import type { StoredBanner, StoredPicture } from '../db/schema.ts'

const WIDTH = 640

/** The URL path of a stored picture, or of the one before it if it is not fetched yet; undefined without both. */
export function pictureAddress(picture: StoredPicture | null): string | undefined {
  const hash = picture?.hash ?? picture?.former
  return hash && `/media/${hash}/${WIDTH}.webp`
}

/** Adds the hash of a known picture with the same source, so that it is not fetched again. */
export function addHash(picture: StoredPicture, known: StoredPicture[]): StoredPicture {
  const { former, ...shown } = picture
  const hash = picture.hash ?? known.find(({ source }) => source && source === picture.source)?.hash
  return hash ? { ...shown, hash } : picture
}

/** Keeps the hashes of a product's pictures. Until one at a new address is fetched, the one in its place is shown. */
export function keepHashes(pictures: StoredPicture[], known: StoredPicture[]): StoredPicture[] {
  return pictures.map((picture, at) => {
    const kept = addHash(picture, known)
    const before = known.find(({ source }) => source === picture.source) ?? known[at]
    const isReplaced = before && (before.source === picture.source || !findPicture(before, pictures))
    const former = isReplaced ? (before.former ?? before.hash) : undefined
    return kept.hash || !former ? kept : { ...kept, former }
  })
}

/** Adds the text of a known picture if this one has none; an empty text is removed. */
export function keepAlt({ alt, ...picture }: StoredPicture, known: StoredPicture[] = []): StoredPicture {
  const text = alt ?? findPicture(picture, known)?.alt
  return { ...picture, ...(text && { alt: text }) }
}

/** The one of `pictures` that a variant refers to, by its hash or source. */
export function findPicture({ hash, source }: StoredPicture, pictures: StoredPicture[]): StoredPicture | undefined {
  return pictures.find(
    each => (hash !== undefined && each.hash === hash) || (source !== undefined && each.source === source),
  )
}

/** Like `keepHashes`, for what has one picture: a category or a shop. */
export function keepHash(picture: StoredPicture, known: StoredPicture | null | undefined): StoredPicture {
  return keepHashes([picture], known ? [known] : [])[0] ?? picture
}

/** Like `keepHash`, for the picture of a banner. One with another title or link does not show the picture before. */
export function keepBannerHash(banner: StoredBanner, known: StoredBanner | null | undefined): StoredBanner {
  const isSame = known?.title === banner.title && known.link === banner.link
  const isKept = isSame || known?.picture.source === banner.picture.source
  return { ...banner, picture: keepHash(banner.picture, isKept ? known?.picture : null) }
}

/** The banner for the API; null if it has no picture. */
export function toBanner(id: string, banner: StoredBanner | null): Banner | null {
  const image = banner && pictureAddress(banner.picture)
  if (!banner || !image) return null
  const { title, description, link } = banner
  return { _id: id, image, title, description, ...(link && { link }) }
}
