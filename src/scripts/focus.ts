/** Call before removing a focused control: moves the focus to the start of the content without scrolling. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
