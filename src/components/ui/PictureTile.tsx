import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'

interface Props {
  removeLabel: string
  onRemove: () => void
  /** The picture. */
  children: ReactNode
}

/** The look of a picture in a tile. */
export const TILE_PICTURE = 'size-20 rounded-control bg-sunken object-cover'

/** A small picture as an item of a list, with the button that removes it. */
export function PictureTile({ removeLabel, onRemove, children }: Props) {
  return (
    <li className="relative size-20 list-none">
      {children}
      <button
        type="button"
        aria-label={removeLabel}
        onClick={onRemove}
        className="absolute -end-3 -top-3 inline-flex size-11 items-center justify-center disabled:opacity-60 [&_svg]:size-4"
      >
        <span className="inline-flex size-7 items-center justify-center rounded-full border border-line bg-surface hover:text-bad">
          <Icon name="close" />
        </span>
      </button>
    </li>
  )
}

interface ChosenProps {
  file: File
  onRemove: () => void
  onBroken: () => void
}

/** A picture that is not sent yet. Calls `onBroken` if the browser cannot show it. */
export function ChosenPicture({ file, onRemove, onBroken }: ChosenProps) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    image.current!.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <PictureTile removeLabel={`Remove ${file.name}`} onRemove={onRemove}>
      <img ref={image} alt={file.name} title={file.name} onError={onBroken} className={TILE_PICTURE} />
    </PictureTile>
  )
}
