import type { ShippingForm } from '#contract/orders.ts'
import { ownAddressLines } from '#lib/accounts/address-fields.ts'

/** A shipping address below the name of its recipient. */
export function PostalAddress({ address }: { address: ShippingForm }) {
  return (
    <address className="mt-2 not-italic text-muted">
      {ownAddressLines(address).map(line => (
        <span key={line} className="block break-words">
          {line}
        </span>
      ))}
    </address>
  )
}
