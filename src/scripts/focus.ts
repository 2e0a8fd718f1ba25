/** Before a control that has the focus goes: the focus stays where the page's content begins, and nothing scrolls. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
