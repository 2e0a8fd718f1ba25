import { Thumbnail } from '#components/ui/Thumbnail.tsx'
import type { Order } from '#contract/orders.ts'
import { productPath, writeReviewPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'
import { lineName } from '#contract/variants.ts'
import { ownAddressLines } from '#lib/accounts/address-fields.ts'
import { ownBrand } from '#lib/catalogue/brand.ts'
import { formatExact } from '#lib/format.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'

/** The order's products and address, for a last look before paying. */
export function OrderItems({ order }: { order: Order }) {
  const { groups, shippingInfo } = order
  return (
    <div className="min-w-0 space-y-6">
      <section aria-labelledby="deliver-to" className="card p-5">
        <h2 id="deliver-to" className="font-bold">
          Deliver to {shippingInfo.name}
        </h2>
        <p className="mt-1 text-muted">{ownAddressLines(shippingInfo).join(', ')}</p>
      </section>
      {groups.map(({ sellerId, shopName, products, deliveryDays }) => (
        <section key={sellerId} aria-label={shopName} className="card px-5 py-2">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-3">
            <h2 className="font-bold">{shopName}</h2>
            {deliveryDays && <p className="text-sm text-muted">Arrives {arrivalDates(deliveryDays)}</p>}
          </div>
          <OrderedProducts products={products} />
        </section>
      ))}
    </div>
  )
}

interface OrderedProps {
  products: Order['groups'][number]['products']
  /** They have arrived, so that the customer can review them. */
  hasArrived?: boolean
}

/** A seller's products as they were when ordered. */
export function OrderedProducts({ products, hasArrived = false }: OrderedProps) {
  return (
    <ul className="divide-y divide-line">
      {products.map(({ quantity, productInfo, variant }) => {
        const page = productPath(productInfo, variant?.title ? variant._id : undefined)
        return (
          <li
            key={`${productInfo._id} ${variant?._id}`}
            aria-label={lineName(productInfo.name, { title: variant?.title })}
            className="flex flex-wrap gap-4 py-4"
          >
            <a href={page} tabIndex={-1} aria-hidden="true" className="shrink-0">
              <Thumbnail
                image={productInfo.images[0]}
                size={64}
                className="size-16 rounded-control bg-sunken object-cover"
              />
            </a>
            <div className="min-w-0 flex-1 basis-32">
              <p dir="auto" className="font-semibold leading-snug">
                <a href={page} className="py-1 hover:text-accent hover:underline">
                  {productInfo.name}
                </a>
              </p>
              {variant?.title && (
                <p dir="auto" className="break-words text-sm">
                  {variant?.title}
                </p>
              )}
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <p className="min-w-0 text-sm text-muted">
                  {ownBrand(productInfo) ? `${productInfo.brand}, quantity` : 'Quantity'} {quantity}
                </p>
                <span className="ml-auto font-bold tabular-nums">
                  {formatExact(discountedCents(productInfo) * quantity)}
                </span>
              </div>
              {hasArrived && (
                <a
                  href={writeReviewPath(productInfo)}
                  className="link no-print inline-flex min-h-11 items-center text-sm"
                >
                  Write a review<span className="sr-only"> of {productInfo.name}</span>
                </a>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
