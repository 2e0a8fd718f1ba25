/** Sends the form of each `data-submit-on-change` field as soon as another value is chosen. */
export function submitOnChange(): void {
  const fields = document.querySelectorAll<HTMLSelectElement>('[data-submit-on-change]')
  for (const field of fields) field.addEventListener('change', () => field.form?.requestSubmit())
  // A page that comes back from the browser's memory shows the choice of its list, not the one that left it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const field of fields) field.form?.reset()
  })
}
