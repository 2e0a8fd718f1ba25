import { Icon } from '#components/ui/Icon.tsx'
import { Stepper } from '#components/ui/Stepper.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import type { CartLine } from '#contract/cart.ts'
import { ownBrand } from '#lib/catalogue/brand.ts'
import { nameOf, needsChoice, newsOf, pathOf, shippingTo, unitCents } from '#lib/cart/cart-line.ts'
import { formatExact } from '#lib/format.ts'
import { changeQuantity } from '#stores/cart/cart.ts'
import { LineVariant } from './LineVariant.tsx'

interface Props {
  line: CartLine
  /** The customer's country; null if unknown, then the line does not mention shipping. */
  country: string | null
  onRemove: () => void
}

export function CartLineRow({ line, country, onRemove }: Props) {
  const { _id, product, quantity, isGone } = line
  const shipping = country && !isGone ? shippingTo(country, product) : undefined
  const cents = unitCents(line)
  const brand = ownBrand(product)
  const name = nameOf(line)

  return (
    <li className="flex flex-wrap gap-4 py-4" aria-label={name}>
      <Thumbnail
        image={product.images[0]}
        size={96}
        className="size-20 shrink-0 rounded-control bg-sunken object-cover sm:size-24"
      />
      <div className="min-w-0 flex-1 basis-32 space-y-1.5">
        <div className="flex items-start justify-between gap-2">
          <p dir="auto" className="min-w-0 font-semibold leading-snug">
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
            onClick={onRemove}
            className="-my-2 -mr-2 inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-bad"
          >
            <Icon name="trash" />
          </button>
        </div>
        {brand && <p className="text-sm text-muted">{brand}</p>}
        <LineVariant line={line} />
        {shipping && (
          <p
            data-ships={shipping.ships}
            className="inline-flex items-center rounded-full bg-sunken px-2.5 py-0.5 text-xs font-semibold text-good data-[ships=false]:text-bad"
          >
            {shipping.text}
          </p>
        )}
        {newsOf(line).map(({ isGood, text }) => (
          <p key={text} data-good={isGood} className="text-sm font-medium text-bad data-[good=true]:text-good">
            {text}
          </p>
        ))}
        {!isGone && !needsChoice(line) && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-1">
            <Stepper
              quantity={quantity}
              label={`Quantity of ${name}`}
              onLess={() => changeQuantity(_id, -1)}
              onMore={() => changeQuantity(_id, 1)}
            />
            <p className="ml-auto text-right">
              <span className="text-lg font-bold tabular-nums">{formatExact(cents * quantity)}</span>
              {quantity > 1 && <span className="block text-sm text-muted">{formatExact(cents)} each</span>}
            </p>
          </div>
        )}
      </div>
    </li>
  )
}
