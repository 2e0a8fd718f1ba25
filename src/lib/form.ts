import * as z from 'zod/mini'

/** Error messages by field path: 'email', 'shippingDetails.city'. */
export type FieldErrors = Partial<Record<string, string>>

type Checked<Data> = { data: Data } | { errors: FieldErrors; first: string }

/** Validates a form as the provider will. Each field gets its first error; `first` is the first of all errors. */
export function checkForm<Schema extends z.ZodMiniType>(schema: Schema, values: unknown): Checked<z.output<Schema>> {
  const checked = z.safeParse(schema, values)
  if (checked.success) return { data: checked.data }
  const errors: FieldErrors = {}
  for (const { path, message } of checked.error.issues) errors[path.join('.')] ??= message
  return { errors, first: checked.error.issues[0]?.message ?? 'Please fill in all fields' }
}

/** Focuses the first field with an error, so that screen readers announce the error. */
export function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const fields = Array.from(form.elements) as HTMLInputElement[]
  const first = fields.find(({ name }) => errors[name])
  // Focusing the field that already has focus would announce nothing.
  if (first === document.activeElement) first?.blur()
  first?.focus()
}
