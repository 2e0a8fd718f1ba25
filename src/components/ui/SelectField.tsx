import type { SelectHTMLAttributes } from 'react'

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  name: string
  label: string
  error?: string | undefined
  /** Text of the option for no choice. */
  empty: string
  choices: { value: string; text: string }[]
}

/** A select field with the same look and error text as `Field`. */
export function SelectField({ name, id = `field-${name}`, label, error, empty, choices, ...select }: Props) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <select
        id={id}
        name={name}
        aria-required="true"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-note` : undefined}
        className="field cursor-pointer"
        {...select}
      >
        <option value="">{empty}</option>
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <p id={`${id}-note`} className="min-h-7 pt-1.5 text-sm font-medium text-bad">
        {error}
      </p>
    </div>
  )
}
