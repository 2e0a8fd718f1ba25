import { useStore } from '@nanostores/react'
import { Suspense } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { sumsOf } from '#contract/order-sums.ts'
import type { ShippingForm } from '#contract/orders.ts'
import { type BasketLine, itemsText, unshippableLines } from '#lib/cart/basket.ts'
import { hasRisen } from '#lib/cart/cart-line.ts'
import { formatExact } from '#lib/format.ts'
import { $placing, askForConsent, dismissError, placeOrder } from '#stores/orders/checkout.ts'
import { sayIfOffline } from '#stores/ui/offline.ts'
import { SumRow } from '../ui/SumRow.tsx'
import { SendConfirmation } from '../accounts/late.ts'
import { PriceChanged } from './PriceChanged.tsx'
import { BAR_BUTTON, BarTotal, SummaryAlert, SummaryFrame } from './SummaryFrame.tsx'

interface Props {
  lines: BasketLine[]
  form: ShippingForm
  isConfirmed: boolean
  isOrderable: boolean
}

/** The order's totals and the button that places it. */
export function CheckoutSummary({ lines, form, isConfirmed, isOrderable }: Props) {
  const placing = useStore($placing)
  const { country } = form
  const sums = sumsOf(lines, country)
  const { itemsCents, shippingCents, priceCents } = sums
  const isShippable = country !== '' && unshippableLines(lines, country).length === 0
  const isBusy = placing.state === 'sending'
  const place = (cents: number) => void placeOrder(lines, form, cents)

  const name = isShippable ? 'Total' : 'Total before shipping'
  const totalCents = isShippable ? priceCents : itemsCents

  return (
    <SummaryFrame
      // Until then, the address form's 'Continue' is the only main button.
      bar={
        isConfirmed && (
          <>
            <BarTotal name={name} cents={totalCents} />
            <BusyButton
              type="button"
              disabled={!isOrderable}
              isBusy={isBusy}
              aria-describedby="place-hint"
              onClick={() => (lines.some(hasRisen) ? askForConsent(sums) : sayIfOffline() || place(priceCents))}
              className={BAR_BUTTON}
            >
              Place Order
            </BusyButton>
            <p
              id="place-hint"
              className={`text-center text-sm text-muted ${isOrderable ? 'sr-only lg:not-sr-only' : 'w-full'}`}
            >
              {isOrderable ? 'You pay on the next page.' : 'Something in this order cannot be bought right now.'}
            </p>
          </>
        )
      }
    >
      <h2 id="summary" className="text-xl font-bold">
        Order summary
      </h2>
      <dl className="space-y-2">
        <SumRow name={itemsText(lines)}>{formatExact(itemsCents)}</SumRow>
        <SumRow name={country ? `Shipping to ${country}` : 'Shipping'}>
          {isShippable ? formatExact(shippingCents) : country ? 'Not available' : 'Choose a country'}
        </SumRow>
        {!isConfirmed && (
          <SumRow name={name} isTotal>
            {formatExact(totalCents)}
          </SumRow>
        )}
      </dl>
      {!isConfirmed && <p className="text-sm text-muted">You pay in US dollars.</p>}
      {placing.state === 'rejected' && <Rejection {...placing} />}
      {placing.state === 'priceChanged' && (
        <PriceChanged
          summary={placing.summary}
          onAccept={() => place(placing.summary.priceCents)}
          onClose={dismissError}
        />
      )}
    </SummaryFrame>
  )
}

interface RejectionProps {
  message: string
  reasons: string[]
  isEmailUnconfirmed: boolean
}

function Rejection({ message, reasons, isEmailUnconfirmed }: RejectionProps) {
  return (
    <>
      <SummaryAlert>
        <p className="font-semibold">{message}</p>
        {reasons
          .filter(reason => reason !== message)
          .map(reason => (
            <p key={reason} className="text-sm">
              {reason}
            </p>
          ))}
      </SummaryAlert>
      {isEmailUnconfirmed && (
        <div className="space-y-3 text-sm">
          <p>Open the link that we emailed you, then place your order again.</p>
          <Suspense>
            <SendConfirmation />
          </Suspense>
        </div>
      )}
    </>
  )
}
