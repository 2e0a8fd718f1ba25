import type { StoredBanner, StoredPicture } from '#server/db/schema.ts'
import type { Draft } from '../drafts.ts'
import { hashIn } from './values.ts'

export type HasPicture = (hash: string) => Promise<boolean>

/** Removes the hashes of pictures that are not stored from a draft, and then the pictures without a hash and source. */
export async function withOwnPictures<Each extends Draft>(draft: Each, hasPicture: HasPicture): Promise<Each> {
  const own = (picture: StoredPicture | null) => ownPicture(picture, hasPicture)
  const ownBanner = async (banner: StoredBanner): Promise<StoredBanner | null> => {
    const picture = await own(banner.picture)
    return picture && { ...banner, picture }
  }
  return {
    ...draft,
    ...('pictures' in draft && draft.pictures && { pictures: await present(draft.pictures, own) }),
    ...('variants' in draft && {
      variants: await Promise.all(
        draft.variants.map(async variant => ({
          ...variant,
          ...(variant.picture && { picture: await own(variant.picture) }),
        })),
      ),
    }),
    ...('picture' in draft && draft.picture && { picture: await own(draft.picture) }),
    ...('banner' in draft && draft.banner && { banner: await ownBanner(draft.banner) }),
    ...('banners' in draft && { banners: await present(draft.banners, ownBanner) }),
  }
}

/** Also removes the source if it is the media URL of a stored picture: there is nothing to fetch. */
async function ownPicture(picture: StoredPicture | null, hasPicture: HasPicture): Promise<StoredPicture | null> {
  if (!picture) return null
  const { source, hash = hashIn(source), alt } = picture
  const isHere = hash !== undefined && (await hasPicture(hash))
  const isElsewhere = source !== undefined && !(isHere && hash === hashIn(source))
  if (!isHere && !isElsewhere) return null
  return { ...(isHere && { hash }), ...(isElsewhere && { source }), ...(alt !== undefined && { alt }) }
}

async function present<Given, Kept>(given: Given[], keep: (each: Given) => Promise<Kept | null>): Promise<Kept[]> {
  return (await Promise.all(given.map(keep))).filter(each => each !== null)
}
