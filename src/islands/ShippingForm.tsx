import { type FormEvent, useState } from 'react'
import { AddressFields } from '#components/AddressFields.tsx'
import { MISSING_FIELDS, ShippingForm as Form } from '#contract/orders.ts'
import { type BasketLine, destinations } from '#lib/basket.ts'
import { checkForm, type FieldErrors } from '#lib/form.ts'
import { $address, chooseDefaultAddress, editAddress } from '#stores/address.ts'
import { toast } from '#stores/toasts.ts'

interface Props {
  form: Form
  isDefault: boolean
  lines: BasketLine[]
  onContinue: (checked: Form) => void
}

/** Where the order goes; what is typed is kept on the way. */
export function ShippingForm({ form, isDefault, lines, onContinue }: Props) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [filling, setFilling] = useState<Promise<void>>()

  function edit(name: keyof Form, value: string) {
    editAddress({ [name]: value })
    setFilling(undefined)
    setErrors(now => ({ ...now, [name]: undefined }))
  }

  async function fillIn(isWanted: boolean) {
    setErrors({})
    const filled = chooseDefaultAddress(isWanted, destinations(lines))
    setFilling(filled)
    await filled.finally(() => setFilling(now => (now === filled ? undefined : now)))
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { elements: all } = event.currentTarget
    // Whoever continues at once means the address that is on its way.
    await filling
    const checked = checkForm(Form, $address.get().form)
    if ('data' in checked) return onContinue(checked.data)
    toast('error', checked.first)
    setErrors(checked.errors)
    const elements = Array.from(all) as HTMLInputElement[]
    elements.find(({ name }) => checked.errors[name])?.focus()
  }

  // The message is said once, for all fields that are empty.
  const errorOf = (name: keyof Form) => (errors[name] === MISSING_FIELDS ? 'Please fill this in' : errors[name])

  return (
    <form noValidate aria-labelledby="shipping-form" onSubmit={event => void submit(event)} className="card p-4 sm:p-6">
      <h2 id="shipping-form" className="text-xl font-bold">
        Shipping details
      </h2>
      <label className="mb-2 mt-2 flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={isDefault}
          onChange={({ target }) => void fillIn(target.checked)}
          className="size-5 shrink-0 accent-accent"
        />
        Use my default shipping address
      </label>
      <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">
        <AddressFields values={form} postName="post" countryLabel="Country" errorOf={errorOf} onEdit={edit} />
      </div>
      <button aria-busy={filling !== undefined} className="button mt-2 w-full sm:w-44">
        Continue
      </button>
    </form>
  )
}
