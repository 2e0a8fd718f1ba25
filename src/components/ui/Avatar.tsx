import { pictureAt } from '#lib/media.ts'

interface Props {
  name: string
  image: string
  /** Shown as a green ring, and as text for screen readers. */
  isOnline: boolean
}

/** A shop's picture, or the first letter of its name. */
export function Avatar({ name, image, isOnline }: Props) {
  const initial = String.fromCodePoint(name.trim().codePointAt(0) ?? 0x20)
  return (
    <span
      data-online={isOnline}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-full ring-offset-2 ring-offset-surface data-[online=true]:ring-[3px] data-[online=true]:ring-good"
    >
      {image ? (
        <img src={pictureAt(image, 160)} alt="" width="44" height="44" className="size-11 rounded-full object-cover" />
      ) : (
        <span
          aria-hidden="true"
          className="inline-flex size-11 items-center justify-center rounded-full bg-accent-soft text-lg font-bold uppercase text-accent group-aria-[current]:bg-surface"
        >
          {initial}
        </span>
      )}
      {isOnline && <span className="sr-only">online</span>}
    </span>
  )
}
