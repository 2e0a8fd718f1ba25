import type { ButtonHTMLAttributes } from 'react'
import { Spinner } from './Spinner.tsx'

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
