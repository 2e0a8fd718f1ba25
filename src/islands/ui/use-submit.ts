import { type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '#lib/api.ts'
import { checkForm, type FieldErrors, focusFirst } from '#lib/form.ts'
import { toast } from '#stores/ui/toasts.ts'

interface Options<Schema extends z.ZodMiniType> {
  schema: Schema
  /** The values to check. */
  read: (form: HTMLFormElement) => unknown
  /** Submits the valid values. The form is busy meanwhile. */
  send: (data: z.output<Schema>) => Promise<void> | void
  /** Toast for invalid values. Defaults to the first error. */
  invalid?: string
  /** Toast for a failure without a reason from the provider. Defaults to the error's own message. */
  failure?: string
  /** `errors.form` says what no field shows, instead of a toast: a modal dialog hides toasts from screen readers. */
  isInDialog?: boolean
}

/**
 * Validates and submits a form, one submission at a time. If it is invalid or rejected, a toast and the fields show
 * why, and the first of these fields gets the focus. Toasts of an earlier try are removed: several would cover a small
 * screen, and they stay as long as a mouse is over them.
 */
export function useSubmit<Schema extends z.ZodMiniType>({
  schema,
  read,
  send,
  invalid,
  failure,
  isInDialog,
}: Options<Schema>) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useState(false)
  const isSending = useRef(false)

  function showErrors(form: HTMLFormElement, found: FieldErrors, text: string) {
    if (!isInDialog) toast('error', text, { about: 'form' })
    else if (Object.keys(found).length === 0) found = { form: text }
    // Focusing another field triggers a blur check, so set these errors after it.
    focusFirst(form, found)
    setErrors(found)
  }

  async function submit(form: HTMLFormElement) {
    if (isSending.current) return
    isSending.current = true
    try {
      const checked = checkForm(schema, await read(form))
      if ('errors' in checked) return showErrors(form, checked.errors, invalid ?? checked.first)
      setBusy(true)
      setErrors({})
      await send(checked.data)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showErrors(form, error.fields ?? {}, error.isSilent && failure ? failure : error.message)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void submit(event.currentTarget)
  }

  return { errors, setErrors, isBusy, onSubmit }
}
