import { useState } from 'react'
import { Field } from '#components/ui/Field.tsx'
import { countryCode, loadPhone } from '#lib/accounts/address-fields.ts'

interface Props {
  name: string
  id: string
  value: string
  error: string | undefined
  country: string
  onEdit: (value: string) => void
}

const HINT = 'For questions about the delivery'
const DOUBT = 'Please check it: it does not look like a phone number'

/**
 * A phone number. It is formatted when the customer leaves the field, unless the form is sent before; a doubtful one
 * gets a hint and is accepted.
 */
export function PhoneField({ name, id, value, error, country, onEdit }: Props) {
  const [isDoubtful, setIsDoubtful] = useState(false)
  async function checkNumber(input: HTMLInputElement) {
    const typed = input.value
    if (typed.trim() === '') return setIsDoubtful(false)
    let isSent = false
    input.form?.addEventListener('submit', () => (isSent = true), { once: true })
    const phone = await loadPhone()
    // The customer may have typed on, sent the form or left it.
    if (!phone || !input.isConnected || input.value !== typed || isSent) return
    const formatted = phone.formatPhone(typed, countryCode(country))
    setIsDoubtful(formatted === null)
    if (formatted && formatted !== typed) onEdit(formatted)
  }

  return (
    <Field
      name={name}
      id={id}
      label="Phone"
      type="tel"
      autoComplete="shipping tel"
      value={value}
      error={error}
      hint={isDoubtful ? DOUBT : HINT}
      onChange={({ target }) => onEdit(target.value)}
      onFocus={() => void loadPhone()}
      onBlur={({ target }) => void checkNumber(target)}
    />
  )
}
