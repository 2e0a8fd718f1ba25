import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { Dialog } from '#components/ui/Dialog.tsx'
import { Field } from '#components/ui/Field.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { WishlistItem } from '#contract/wishlist.ts'
import { centsOf, typedPrice } from '#lib/cart/typed-price.ts'
import { DOLLARS, formatExact } from '#lib/format.ts'
import { $currency } from '#stores/ui/currency.ts'
import { addPriceAlert } from '#stores/cart/alerts.ts'
import { useSubmit } from '../ui/use-submit.ts'

interface Props {
  item: WishlistItem
  /** What it costs, or what the customer named before. */
  cents: number
  onClose: () => void
}

const Form = z.object({ below: z.number({ error: 'Please enter a price' }).check(z.gte(1, 'Please enter a price')) })

/** A form for the price below which the customer wants an alert, in the currency in which prices are shown. */
export function PriceAlert({ item: { productId, name }, cents, onClose }: Props) {
  const { currency, rate } = useStore($currency)
  const id = useId()
  const [typed, setTyped] = useState(() => typedPrice(cents, rate))
  const below = centsOf(typed, rate)
  const { errors, setErrors, isBusy, onSubmit } = useSubmit({
    schema: Form,
    read: () => ({ below }),
    async send(form) {
      await addPriceAlert(productId, form.below)
      onClose()
    },
    isInDialog: true,
  })
  const inDollars = currency === DOLLARS.currency || below === undefined ? '' : ` That is ${formatExact(below)} today.`

  return (
    <Dialog id={id} title="Tell me when it costs less than …" isBusy={isBusy} onClose={onClose}>
      <form noValidate onSubmit={onSubmit} className="mt-3 space-y-3">
        <p dir="auto" className="break-words font-semibold">
          {name}
        </p>
        <Field
          name="below"
          label={`Price in ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={errors.below}
          onChange={({ target }) => {
            setTyped(target.value)
            setErrors({})
          }}
        />
        <p aria-live="polite" className="min-h-11 text-sm text-muted">
          We will send you one notification and one email when it costs less. Prices are compared in US dollars.
          {inDollars}
        </p>
        <p role="alert" className="text-sm font-medium text-bad">
          {errors.form}
        </p>
        <div className="flex flex-wrap gap-3">
          <BusyButton isBusy={isBusy}>Tell me</BusyButton>
          <button type="button" aria-disabled={isBusy} onClick={() => isBusy || onClose()} className="button-quiet">
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
