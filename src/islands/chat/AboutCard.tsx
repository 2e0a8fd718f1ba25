import type { About } from '#contract/chat.ts'
import { formatExact } from '#lib/format.ts'
import { safeLink } from '#lib/links.ts'
import { pictureAt } from '#lib/media.ts'

/** What a message is about, linked to its page. */
export function AboutCard({ about: { orderId, name, image, priceCents, path } }: { about: About }) {
  return (
    <a
      href={safeLink(path)}
      className="mb-1 flex min-w-0 max-w-full items-center gap-3 rounded-control border border-line bg-surface p-2 text-ink hover:border-accent"
    >
      <span className="sr-only">About</span>
      <img
        src={image ? pictureAt(image, 160) : '/no-picture.svg'}
        alt=""
        width={48}
        height={48}
        className="size-12 shrink-0 rounded bg-sunken object-cover"
      />
      <span className="min-w-0 text-sm">
        <span dir="auto" className="line-clamp-2 font-semibold">
          {name}
        </span>
        <span className="text-muted">
          {orderId && 'Your order, '}
          {formatExact(priceCents)}
        </span>
      </span>
    </a>
  )
}
