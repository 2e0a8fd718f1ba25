/** Sends the form of each `data-submit-on-change` field as soon as another value is chosen. */
export function submitOnChange(): void {
  for (const field of document.querySelectorAll<HTMLSelectElement>('[data-submit-on-change]'))
    field.addEventListener('change', () => field.form?.requestSubmit())
}
