import { useEffect, useRef, useState } from 'react'
import { Field } from '#components/ui/Field.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { type BookAddress, BookForm } from '#contract/account.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import { asSent } from '#lib/accounts/address-fields.ts'
import { useSubmit } from '../ui/use-submit.ts'
import { AddressFields } from './AddressFields.tsx'

interface Props {
  title: string
  button: string
  /** The address to change. */
  saved?: BookAddress
  /** Saves the address. Throws `ApiError`. */
  send: (form: BookForm) => Promise<void>
  onClose: () => void
}

/** The form for an address of the address book. */
export function AddressForm({ title, button, saved, send, onClose }: Props) {
  const [label, setLabel] = useState(saved?.label ?? '')
  const [values, setValues] = useState(saved?.shippingDetails ?? EMPTY_ADDRESS)
  const form = useRef<HTMLFormElement>(null)
  const { errors, setErrors, isBusy, onSubmit } = useSubmit({
    schema: BookForm,
    read: () => ({ label, shippingDetails: asSent(values) }),
    invalid: 'Please fix the errors before submitting',
    async send(data) {
      await send(data)
      onClose()
    },
  })
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const accept = (path: string) => setErrors(now => ({ ...now, [path]: undefined }))

  return (
    <form ref={form} noValidate aria-label={title} onSubmit={onSubmit} className="mt-3 grid gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field
          name="label"
          label="Name of the address"
          placeholder="For example Home"
          autoComplete="off"
          value={label}
          error={errors.label}
          onChange={({ target }) => {
            setLabel(target.value)
            accept('label')
          }}
        />
      </div>
      <AddressFields
        values={values}
        postName="postal"
        countryLabel="Shipping country"
        prefix="shippingDetails."
        scope="book"
        errorOf={name => errors[`shippingDetails.${name}`]}
        onEdit={(name, value) => {
          setValues(now => ({ ...now, [name]: value }))
          accept(`shippingDetails.${name}`)
        }}
      />
      <div className="flex flex-wrap gap-2 sm:col-span-2">
        <BusyButton isBusy={isBusy} aria-disabled={isBusy} className="button w-full sm:w-44">
          {button}
        </BusyButton>
        <button type="button" onClick={onClose} className="button-quiet w-full sm:w-auto">
          Cancel
        </button>
      </div>
    </form>
  )
}
