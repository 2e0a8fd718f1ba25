import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { CheckoutSteps } from '#components/orders/CheckoutSteps.tsx'
import type { CartLine } from '#contract/cart.ts'
import type { ShippingForm as Form } from '#contract/orders.ts'
import { type BasketLine, unshippableLines, whyNotOrderable } from '#lib/cart/basket.ts'
import { $address, confirmAddress } from '#stores/accounts/address.ts'
import { BasketGroups } from './BasketGroups.tsx'
import { CheckoutSummary } from './CheckoutSummary.tsx'
import { DeliverTo } from './DeliverTo.tsx'
import { ShippingForm } from './ShippingForm.tsx'
import { ShippingNotAvailable } from './ShippingNotAvailable.tsx'
import { enterReview, useBackToAddress } from './checkout-history.ts'

/** All steps between cart and payment, on one page. */
export function Checkout({ lines, leftOut }: { lines: BasketLine[]; leftOut: CartLine[] }) {
  const address = useStore($address)
  const [isBlocked, setIsBlocked] = useState(false)
  const { form, isConfirmed } = address
  const { country } = form
  useBackToAddress()
  const unshippable = country ? unshippableLines(lines, country) : []
  const isOrderable = isConfirmed && unshippable.length === 0 && !lines.some(whyNotOrderable)

  function proceed(checked: Form) {
    if (unshippableLines(lines, checked.country).length > 0) return setIsBlocked(true)
    confirmAddress(checked)
    enterReview()
  }

  return (
    <>
      <CheckoutSteps current={isConfirmed ? 'Review' : 'Address'} />
      <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-6">
          {isConfirmed ? (
            <DeliverTo form={form} />
          ) : (
            <ShippingForm address={address} lines={lines} onContinue={proceed} />
          )}
          {unshippable.length > 0 && (
            <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 font-medium text-bad">
              {unshippable.length === lines.length ? 'Nothing here' : 'Not everything here'} can be shipped to {country}
              .
            </p>
          )}
          <BasketGroups lines={lines} leftOut={leftOut} country={country} />
        </div>
        <CheckoutSummary lines={lines} form={form} isOrderable={isOrderable} isConfirmed={isConfirmed} />
        {isBlocked && <ShippingNotAvailable country={country} onClose={() => setIsBlocked(false)} />}
      </div>
    </>
  )
}
