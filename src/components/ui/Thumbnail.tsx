import { pictureAt } from '#lib/media.ts'

interface Props {
  image: string | undefined
  /** Side of the square in CSS pixels. */
  size: number
  className?: string
}

/** A product's picture next to its name; the name describes it. */
export function Thumbnail({ image, size, className }: Props) {
  return (
    <img
      src={image ? pictureAt(image, 320) : '/no-picture.svg'}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={className}
    />
  )
}
