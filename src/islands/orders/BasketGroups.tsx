import { Arrival } from '#components/orders/Arrival.tsx'
import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import type { CartLine } from '#contract/cart.ts'
import { doesNotShip, shippingCents } from '#contract/order-sums.ts'
import { discountedCents } from '#contract/rules.ts'
import { type BasketLine, bySeller, whyNotOrderable } from '#lib/cart/basket.ts'
import { nameOf, needsChoice, pathOf } from '#lib/cart/cart-line.ts'
import { formatExact } from '#lib/format.ts'

interface Props {
  lines: BasketLine[]
  leftOut: CartLine[]
  /** The destination; '' until chosen. */
  country: string
}

/** The products to order, grouped by shop, with their shipping prices. */
export function BasketGroups({ lines, leftOut, country }: Props) {
  return (
    <>
      {bySeller(lines).map(({ sellerId, shopName, lines: own }) => (
        <section key={sellerId} aria-label={shopName} className="card px-5 py-2">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-3">
            <h2 className="font-bold sm:mr-auto">{shopName}</h2>
            {country && <p className="text-sm text-muted">Shipping to {country}</p>}
            <Arrival product={own[0]?.product} country={country} />
          </div>
          <ul className="divide-y divide-line">
            {own.map(line => (
              <Row key={line.lineId ?? line.product._id} line={line} country={country} />
            ))}
          </ul>
        </section>
      ))}
      <LeftOut why="because it is out of stock" lines={leftOut.filter(line => !needsChoice(line))} />
      <LeftOut why="because you have not chosen which" lines={leftOut.filter(needsChoice)} />
    </>
  )
}

function LeftOut({ why, lines }: { why: string; lines: CartLine[] }) {
  if (lines.length === 0) return null
  return (
    <p className="rounded-control bg-sunken px-4 py-3 text-muted">
      Not in this order, {why}: {lines.map(nameOf).join(', ')}.{' '}
      <a href="/cart" className="link">
        See your cart
      </a>
    </p>
  )
}

function Row({ line, country }: { line: BasketLine; country: string }) {
  const { product, quantity } = line
  const cents = discountedCents(product)
  const shipping = country ? shippingCents(product, country) : undefined
  const problem = whyNotOrderable(line)

  return (
    <li className="flex flex-wrap gap-4 py-4" aria-label={nameOf(line)}>
      <Thumbnail
        image={product.images[0]}
        size={72}
        className="size-16 shrink-0 rounded-control bg-sunken object-cover sm:size-[4.5rem]"
      />
      <div className="min-w-0 flex-1 basis-32">
        <p dir="auto" className="font-semibold leading-snug">
          <a href={pathOf(line)} className="hover:text-accent hover:underline">
            {product.name}
          </a>
        </p>
        {line.variant?.title && (
          <p dir="auto" className="break-words text-sm">
            {line.variant?.title}
          </p>
        )}
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="text-sm text-muted">
            Quantity {quantity}
            {quantity > 1 && `, ${formatExact(cents)} each`}
          </p>
          <span className="ml-auto font-bold tabular-nums">{formatExact(cents * quantity)}</span>
        </div>
        {shipping !== undefined && (
          <p className="text-sm text-muted">{shipping === 0 ? 'Ships free' : `Shipping ${formatExact(shipping)}`}</p>
        )}
        {country && shipping === undefined && (
          <p className="mt-1 text-sm font-medium text-bad">{doesNotShip(country)}</p>
        )}
        {problem && <p className="mt-1 text-sm font-medium text-bad">{problem}</p>}
      </div>
    </li>
  )
}
