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
 * An input with label and error text. Space for the error is reserved, so that nothing moves. If the field is validated
 * on blur, its error is announced then; otherwise only when the field gets the focus, so that a form does not announce
 * all errors at once.
 */
export function Field({ name, id = `field-${name}`, label, hint, error, children, ...input }: Props) {
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
