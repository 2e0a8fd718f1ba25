import type { Return } from '#contract/returns.ts'
import { fitted } from '#lib/chat/files.ts'
import { safeLink } from '#lib/links.ts'

const THUMBNAIL_PX = 80

/** The pictures of a return; each opens in a tab of its own. */
export function ReturnPictures({ pictures }: Pick<Return, 'pictures'>) {
  if (pictures.length === 0) return null
  return (
    <ul aria-label="Pictures" className="flex flex-wrap gap-2">
      {pictures.map(picture => (
        <li key={picture.url.split('?')[0]}>
          <a
            href={safeLink(picture.url)}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open picture ${picture.originalName}`}
            className="flex size-20 items-center justify-center overflow-hidden rounded-control bg-sunken"
          >
            <img src={safeLink(picture.url)} alt="" decoding="async" {...fitted(picture, THUMBNAIL_PX)} />
          </a>
        </li>
      ))}
    </ul>
  )
}
