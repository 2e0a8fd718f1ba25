/** Turns while a button's work is under way. */
export function Spinner() {
  return <span className="m-0.5 size-4 animate-spin rounded-full border-2 border-current border-r-transparent" />
}
