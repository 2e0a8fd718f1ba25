import * as z from 'zod/mini'

/** What is wrong, by the path of the field: 'email', 'shippingDetails.city'. */
export type FieldErrors = Partial<Record<string, string>>

type Checked<Data> = { data: Data } | { errors: FieldErrors; first: string }

/** Checks a form as the provider will; of each field the first error counts, `first` is the first of all. */
export function checkForm<Schema extends z.ZodMiniType>(schema: Schema, values: unknown): Checked<z.output<Schema>> {
  const checked = z.safeParse(schema, values)
  if (checked.success) return { data: checked.data }
  const errors: FieldErrors = {}
  for (const { path, message } of checked.error.issues) errors[path.join('.')] ??= message
  return { errors, first: checked.error.issues[0]?.message ?? 'Please fill in all fields' }
}

/** Brings the focus to the first field that has an error, so that what is wrong with it is read out. */
export function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const fields = Array.from(form.elements) as HTMLInputElement[]
  const first = fields.find(({ name }) => errors[name])
  // Where it has the focus already, nothing would be read.
  if (first === document.activeElement) first?.blur()
  first?.focus()
}
