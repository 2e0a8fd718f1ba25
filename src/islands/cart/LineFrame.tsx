import type { ReactNode } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import type { CartLine } from '#contract/cart.ts'
import { nameOf, noticesOf, pathOf } from '#lib/cart/cart-line.ts'
import { ownBrand } from '#lib/catalogue/brand.ts'

interface Props {
  line: CartLine
  /** Shown without colour, because the line cannot be bought. */
  isGrey?: boolean
  /** Shown below brand and name. */
  details?: ReactNode
  onRemove: () => void
  children?: ReactNode
}

/** A row of the cart or of the saved lines: picture, name, details and a button that removes it. */
export function LineFrame({ line, isGrey = false, details, onRemove, children }: Props) {
  const { product, isGone } = line
  const brand = ownBrand(product)
  const name = nameOf(line)

  return (
    <li className="group flex flex-wrap gap-4 py-4" aria-label={name} data-grey={isGrey || undefined}>
      <Thumbnail
        image={product.images[0]}
        size={96}
        className="size-20 shrink-0 rounded-control bg-sunken object-cover group-data-[grey]:opacity-60 group-data-[grey]:grayscale sm:size-24"
      />
      <div className="min-w-0 flex-1 basis-32 space-y-1.5">
        <div className="flex items-start justify-between gap-2">
          <p dir="auto" className="min-w-0 font-semibold leading-snug group-data-[grey]:text-muted">
            {isGone ? (
              product.name
            ) : (
              <a href={pathOf(line)} className="py-1 hover:text-accent hover:underline">
                {product.name}
              </a>
            )}
          </p>
          <button
            type="button"
            aria-label={`Remove ${name}`}
            // The press must not take the focus from the form of a variant, which would save it.
            onMouseDown={event => event.preventDefault()}
            onClick={onRemove}
            className="-my-2 -mr-2 inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-bad"
          >
            <Icon name="trash" />
          </button>
        </div>
        {brand && <p className="text-sm text-muted">{brand}</p>}
        {details}
        {noticesOf(line).map(({ isGood, text }) => (
          <p
            key={text}
            data-good={isGood}
            className="text-sm font-medium text-bad data-[good=true]:text-good group-data-[grey]:text-muted"
          >
            {text}
          </p>
        ))}
        {children}
      </div>
    </li>
  )
}
