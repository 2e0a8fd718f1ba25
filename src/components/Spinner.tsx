/** Turns while a button's work is under way. */
export function Spinner() {
  return <span className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent" />
}
