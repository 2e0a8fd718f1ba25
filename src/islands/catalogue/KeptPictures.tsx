import { Icon } from '#components/ui/Icon.tsx'
import type { ReviewPicture } from '#contract/reviews.ts'
import { safeLink } from '#lib/links.ts'

interface Props {
  pictures: ReviewPicture[]
  onChange: (pictures: ReviewPicture[]) => void
}

/** The pictures of a customer's earlier review that stay, each with a button that removes it. */
export function KeptPictures({ pictures, onChange }: Props) {
  if (pictures.length === 0) return null
  return (
    <ul aria-label="Pictures of your review" className="flex flex-wrap gap-3">
      {pictures.map(({ _id, thumbnail }, at) => (
        <li key={_id} className="relative">
          <img src={safeLink(thumbnail)} alt="" className="size-20 rounded-control bg-sunken object-cover" />
          <button
            type="button"
            aria-label={`Remove picture ${at + 1}`}
            onClick={() => onChange(pictures.filter(each => each._id !== _id))}
            className="absolute -right-2 -top-2 inline-flex size-11 items-center justify-center [&_svg]:size-4"
          >
            <span className="inline-flex size-7 items-center justify-center rounded-full border border-line bg-surface hover:text-bad">
              <Icon name="close" />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
