import { useStore } from '@nanostores/react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { MISSING_FIELDS, ShippingForm as Form } from '#contract/orders.ts'
import { asSent } from '#lib/accounts/address-fields.ts'
import { type BasketLine, destinations } from '#lib/cart/basket.ts'
import {
  $savedAddress,
  type Address,
  chooseDefaultAddress,
  editAddress,
  settledForm,
} from '#stores/accounts/address.ts'
import { AddressFields } from '../accounts/AddressFields.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import { AddressChoice } from './AddressChoice.tsx'
import { BOTTOM_BAR } from './SummaryFrame.tsx'

interface Props {
  address: Address
  lines: BasketLine[]
  onContinue: (checked: Form) => void
}

/** The shipping address form. Its values are stored in this tab while the customer types. */
export function ShippingForm({ address: { form, fromAccount }, lines, onContinue }: Props) {
  const saved = useStore($savedAddress)
  // The account's address may still be loading.
  const readForm = async () => asSent(await settledForm())
  const { errors, setErrors, onSubmit } = useSubmit({ schema: Form, read: readForm, send: onContinue })

  function edit(name: keyof Form, value: string) {
    editAddress({ [name]: value })
    setErrors(now => ({ ...now, [name]: undefined }))
  }

  function fillIn(isWanted: boolean) {
    setErrors({})
    void chooseDefaultAddress(isWanted, destinations(lines))
  }

  // The toast shows this message once for all empty fields.
  const errorOf = (name: keyof Form) => (errors[name] === MISSING_FIELDS ? 'Please fill this in' : errors[name])

  return (
    <form noValidate aria-labelledby="shipping-form" onSubmit={onSubmit} className="card p-4 sm:p-6">
      <h2 id="shipping-form" className="text-xl font-bold">
        Shipping details
      </h2>
      {saved?.isComplete ? (
        <label className="mb-2 mt-2 flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            checked={fromAccount !== 'no'}
            onChange={({ target }) => fillIn(target.checked)}
            className="size-5 shrink-0 accent-accent"
          />
          Use my default shipping address
        </label>
      ) : (
        <div className="mt-4" />
      )}
      <AddressChoice onChoose={() => setErrors({})} />
      <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">
        <AddressFields values={form} postName="post" countryLabel="Country" errorOf={errorOf} onEdit={edit} />
      </div>
      <div
        data-bottom-bar
        className={`${BOTTOM_BAR} -mb-4 mt-2 rounded-b-card sm:-mb-6 lg:m-0 lg:border-0 lg:p-0 lg:shadow-none`}
      >
        <BusyButton isBusy={fromAccount === 'coming'} aria-describedby="form-problem" className="button w-full sm:w-44">
          Continue
        </BusyButton>
        <p id="form-problem" className="min-w-0 flex-1 basis-48 font-medium text-bad empty:hidden">
          {Object.values(errors).find(Boolean)}
        </p>
      </div>
    </form>
  )
}
