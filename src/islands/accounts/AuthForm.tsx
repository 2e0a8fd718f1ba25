import { type FocusEvent, type ReactNode, useRef } from 'react'
import type * as z from 'zod/mini'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { checkForm, type FieldErrors } from '#lib/form.ts'
import { leave } from '#lib/leave.ts'
import { useSubmit } from '../ui/use-submit.ts'

interface FieldProps {
  name: string
  error: string | undefined
  onBlur: (event: FocusEvent<HTMLInputElement>) => void
  onInput: () => void
}

interface Props<Schema extends z.ZodMiniType> {
  label: string
  button: string
  schema: Schema
  /** Submits the valid form. Returns the path of the next page, or null to stay. */
  send: (data: z.output<Schema>) => Promise<string | null>
  /** Message for a failure without a reason from the provider. Defaults to the error's own message. */
  failure?: string
  /**
   * Renders the fields, given a function that returns each field's props. An edit also clears the error of `compared`,
   * the field whose value has to be the same.
   */
  children: (field: (name: string, compared?: string) => FieldProps) => ReactNode
}

/**
 * Frame of the forms for signing in. Validates each field on blur and all fields on submit. The inputs are
 * uncontrolled, so that nothing is lost that was typed or autofilled before hydration.
 */
export function AuthForm<Schema extends z.ZodMiniType>(props: Props<Schema>) {
  const { label, button, schema, send, failure, children } = props
  const touched = useRef(new Set<string>())
  const { errors, setErrors, isBusy, onSubmit } = useSubmit({
    schema,
    read: valuesOf,
    failure,
    async send(data: z.output<Schema>) {
      const next = await send(data)
      if (next === null) return
      leave(() => location.replace(next))
      // The form stays busy until the browser has left the page.
      await new Promise(() => undefined)
    },
  })

  function checkTouched({ name, form }: HTMLInputElement) {
    touched.current.add(name)
    const found = Object.entries(form ? errorsOf(schema, form) : {})
    const shown = found.filter(([field]) => touched.current.has(field))
    // The other errors stay until their fields are edited: the provider's are not found here.
    setErrors(now => ({ ...now, ...Object.fromEntries(shown) }))
  }

  const field = (name: string, compared = name): FieldProps => ({
    name,
    error: errors[name],
    onBlur: ({ currentTarget }) => checkTouched(currentTarget),
    onInput: () => setErrors(now => ({ ...now, [name]: undefined, [compared]: undefined })),
  })

  // Outside a dialog method="dialog" does nothing: without this island no password ends up in a URL.
  return (
    <form method="dialog" noValidate aria-label={label} onSubmit={onSubmit} className="space-y-1">
      {children(field)}
      <BusyButton isBusy={isBusy} aria-disabled={isBusy} className="button !mt-3 w-full">
        {button}
      </BusyButton>
    </form>
  )
}

function valuesOf(form: HTMLFormElement): Record<string, FormDataEntryValue> {
  return Object.fromEntries(new FormData(form))
}

function errorsOf(schema: z.ZodMiniType, form: HTMLFormElement): FieldErrors {
  const checked = checkForm(schema, valuesOf(form))
  return 'errors' in checked ? checked.errors : {}
}
