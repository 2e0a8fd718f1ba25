import type { InputHTMLAttributes, ReactNode } from 'react'

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  name: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** A control at the end of the field. */
  children?: ReactNode
}

/**
 * An input with its label, and below it what is wrong; there is room for that from the start, so that nothing moves. What
 * is wrong is announced where it is found as the field is left; otherwise it is read as the field gets the focus, instead
 * of once for each field of a form.
 */
export function Field({ name, label, hint, error, children, ...input }: Props) {
  const id = `field-${name}`
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          name={name}
          dir="auto"
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
          className={`field ${children ? 'pr-12' : ''}`}
          {...input}
        />
        {children}
      </div>
      <p
        id={`${id}-note`}
        aria-live={input.onBlur ? 'polite' : undefined}
        className={`grid min-h-7 pt-1.5 text-sm ${hint ? 'pb-2' : ''} ${error ? 'font-medium text-bad' : 'text-muted'}`}
      >
        {hint && <span className={`[grid-area:1/1] ${error ? 'invisible' : ''}`}>{hint}</span>}
        {error && <span className="[grid-area:1/1]">{error}</span>}
      </p>
    </div>
  )
}
