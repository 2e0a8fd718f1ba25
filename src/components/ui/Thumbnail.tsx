import { pictureAt } from '#lib/media.ts'

interface Props {
  image: string | undefined
  /** CSS pixels of the square that it fills. */
  size: number
  className?: string
}

/** A product's picture beside its name, which says what it shows. */
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
