import type { ButtonHTMLAttributes } from 'react'

/** Shown in a button while its work is running. */
export function Spinner() {
  return <span className="m-0.5 size-4 animate-spin rounded-full border-2 border-current border-r-transparent" />
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  isBusy: boolean
}

/** A button that shows a spinner while its work is running. */
export function BusyButton({ isBusy, className = 'button', children, ...more }: Props) {
  return (
    <button {...more} aria-busy={isBusy} className={`${className} aria-busy:opacity-60`}>
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}
