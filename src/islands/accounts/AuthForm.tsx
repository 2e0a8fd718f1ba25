import { type FocusEvent, type FormEvent, type ReactNode, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { Spinner } from '#components/ui/Spinner.tsx'
import { ApiError } from '#lib/api.ts'
import { checkForm, type FieldErrors, focusFirst } from '#lib/form.ts'
import { toast } from '#stores/ui/toasts.ts'

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
  /** Renders the fields, given a function that returns each field's props. */
  children: (field: (name: string) => FieldProps) => ReactNode
}

/**
 * Frame of the forms for signing in. Validates each field on blur and all fields on submit. The inputs are
 * uncontrolled, so that nothing is lost that was typed or autofilled before hydration.
 */
export function AuthForm<Schema extends z.ZodMiniType>(props: Props<Schema>) {
  const { label, button, schema, send, failure, children } = props
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useState(false)
  const isSending = useRef(false)
  const left = useRef(new Set<string>())

  function leave({ name, form }: HTMLInputElement) {
    left.current.add(name)
    const found = form ? errorsOf(schema, form) : {}
    setErrors(Object.fromEntries(Object.entries(found).filter(([field]) => left.current.has(field))))
  }

  const field = (name: string): FieldProps => ({
    name,
    error: errors[name],
    onBlur: ({ currentTarget }) => leave(currentTarget),
    onInput: () => setErrors({ ...errors, [name]: undefined }),
  })

  function refuse(form: HTMLFormElement, found: FieldErrors, text: string) {
    toast('error', text)
    // Focusing another field triggers a blur check, so set these errors after it.
    focusFirst(form, found)
    setErrors(found)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSending.current) return
    const form = event.currentTarget
    const checked = checkForm(schema, valuesOf(form))
    if ('errors' in checked) return refuse(form, checked.errors, checked.first)
    isSending.current = true
    setBusy(true)
    setErrors({})
    try {
      const next = await send(checked.data)
      // The form stays busy until the browser has left the page.
      if (next !== null) return location.replace(next)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refuse(form, error.fields ?? {}, error.isSilent && failure ? failure : error.message)
    }
    isSending.current = false
    setBusy(false)
  }

  // Outside a dialog method="dialog" does nothing: without this island no password ends up in a URL.
  return (
    <form method="dialog" noValidate aria-label={label} onSubmit={event => void submit(event)} className="space-y-1">
      {children(field)}
      <button aria-busy={isBusy} aria-disabled={isBusy} className="button !mt-3 w-full aria-disabled:opacity-60">
        {isBusy && <Spinner />}
        {button}
      </button>
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
