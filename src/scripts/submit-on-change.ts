/** Submits the form of each `data-submit-on-change` field when its value changes. */
export function submitOnChange(): void {
  const fields = document.querySelectorAll<HTMLSelectElement>('[data-submit-on-change]')
  for (const field of fields) field.addEventListener('change', () => field.form?.requestSubmit())
  // A page from the back/forward cache must show the choice of its list, not the one made when leaving it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const field of fields) field.form?.reset()
  })
}
