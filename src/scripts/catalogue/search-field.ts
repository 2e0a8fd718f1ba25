/** Loads the code of the search field's suggestions when it is focused; again if that failed. */
export function connectSearchField(): void {
  const field = document.querySelector<HTMLInputElement>('#search-value')
  const load = () => void import('./suggestions.ts').catch(() => undefined)
  field?.addEventListener('focus', load)
  if (field === document.activeElement) load()
}
