/**
 * Call when a control that may have the focus is removed: moves the focus to the start of the content without
 * scrolling.
 */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
