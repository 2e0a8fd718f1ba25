import { useStore } from '@nanostores/react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { Order } from '#contract/orders.ts'
import type { PaymentMethod } from '#contract/payments.ts'
import { formatCount, formatExact } from '#lib/format.ts'
import { leave } from '#lib/leave.ts'
import { formatMoment } from '#lib/orders/orders.ts'
import { $attempt, $paying, pay, type Paying } from '#stores/payments/payment.ts'
import { SummaryAlert, SummaryFrame } from '../orders/SummaryFrame.tsx'
import { SumRow } from '../ui/SumRow.tsx'

interface Props {
  order: Order & { payUntil?: string }
  methods: PaymentMethod[]
}

const LABELS: Partial<Record<Paying['state'], string>> = {
  confirming: 'Confirming your payment …',
  asking: 'Checking your payment …',
}

/** The amount to pay and the button that opens the payment modal. */
export function PayBox({ order, methods }: Props) {
  const attempt = useStore($attempt)
  const { state, problem } = useStore($paying)
  const { number, priceCents, shippingCents, items, payUntil } = order
  const isBusy = state !== 'idle'

  async function openModal() {
    const next = await pay()
    if (next) leave(() => location.assign(next))
  }

  return (
    <SummaryFrame
      bar={
        <>
          <output className="w-full text-center text-sm">
            {state === 'confirming'
              ? 'Your payment is being confirmed. Please stay on this page.'
              : payUntil && `Pay by ${formatMoment(payUntil)}`}
          </output>
          <BusyButton type="button" isBusy={isBusy} onClick={() => void openModal()} className="button w-full">
            {LABELS[state] ?? `Pay ${formatExact(priceCents)}`}
          </BusyButton>
        </>
      }
    >
      <div>
        <h2 id="summary" className="text-xl font-bold">
          Order summary
        </h2>
        <p className="text-sm text-muted">Order {number}</p>
      </div>
      <dl className="space-y-2">
        {shippingCents !== undefined && (
          <>
            <SumRow name={formatCount(items, 'item', 'items')}>{formatExact(priceCents - shippingCents)}</SumRow>
            <SumRow name="Shipping">{formatExact(shippingCents)}</SumRow>
          </>
        )}
        <SumRow name="Total" isTotal>
          {formatExact(priceCents)}
        </SumRow>
      </dl>
      <p className="text-sm text-muted">You pay in US dollars{methods.length > 0 && `, by ${anyOf(methods)}`}.</p>
      {attempt && !attempt.movesMoney && (
        <p className="rounded-control bg-accent-soft px-4 py-3 text-sm">
          <strong>This is a sandbox.</strong> No money moves: pay with one of the test numbers that the window offers.
        </p>
      )}
      {problem && (
        <SummaryAlert key={problem}>
          <p className="font-medium">{problem}</p>
        </SummaryAlert>
      )}
    </SummaryFrame>
  )
}

/** 'card, mobile money or USSD' */
function anyOf(methods: PaymentMethod[]): string {
  const words = methods.map(method => (method === 'USSD' ? method : method.toLowerCase()))
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)
}
