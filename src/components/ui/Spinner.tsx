/** Shown in a button while its work is running. */
export function Spinner() {
  return <span className="m-0.5 size-4 animate-spin rounded-full border-2 border-current border-r-transparent" />
}
