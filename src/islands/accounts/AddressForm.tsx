import { useEffect, useRef } from 'react'
import { Field } from '#components/ui/Field.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { type BookAddress, BookForm } from '#contract/account.ts'
import { EMPTY_ADDRESS } from '#contract/rules.ts'
import { asSent } from '#lib/accounts/address-fields.ts'
import { useDraft } from '../ui/use-draft.ts'
import { useSubmit } from '../ui/use-submit.ts'
import { AddressFields } from './AddressFields.tsx'

interface Props {
  title: string
  button: string
  customerId: string
  /** The form is open because it has unsaved edits from before, not because the customer has just opened it. */
  isRestored: boolean
  /** The address to change. */
  saved?: BookAddress
  /** Saves the address. Throws `ApiError`. */
  send: (form: BookForm) => Promise<void>
  onClose: () => void
}

/** The start of the names of these forms' drafts; the id of the address, or `NEW`, follows. */
export const DRAFT = 'address:'
/** Stands for the id of a new address. */
export const NEW = 'new'

/** The form for an address of the address book. What is typed is stored until it is saved or cancelled. */
export function AddressForm({ title, button, customerId, isRestored, saved, send, onClose }: Props) {
  const { draft, changeDraft, clearDraft } = useDraft(`${DRAFT}${saved?.id ?? NEW}`, customerId, {
    label: saved?.label ?? '',
    ...(saved?.shippingDetails ?? EMPTY_ADDRESS),
  })
  const { label, ...values } = draft
  const form = useRef<HTMLFormElement>(null)
  const { errors, setErrors, isBusy, onSubmit } = useSubmit({
    schema: BookForm,
    read: () => ({ label, shippingDetails: asSent(values) }),
    invalid: 'Please fix the errors before submitting',
    async send(data) {
      await send(data)
      close()
    },
  })
  useEffect(() => {
    if (!isRestored) form.current?.querySelector('input')?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only once.
  }, [])
  const accept = (path: string) => setErrors(now => ({ ...now, [path]: undefined }))

  function close() {
    clearDraft()
    onClose()
  }

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
            changeDraft({ label: target.value })
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
          changeDraft({ [name]: value })
          accept(`shippingDetails.${name}`)
        }}
      />
      <div className="flex flex-wrap gap-2 sm:col-span-2">
        <BusyButton isBusy={isBusy} aria-disabled={isBusy} className="button w-full sm:w-44">
          {button}
        </BusyButton>
        <button type="button" onClick={close} className="button-quiet w-full sm:w-auto">
          Cancel
        </button>
      </div>
    </form>
  )
}
