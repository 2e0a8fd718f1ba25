import { useLayoutEffect, useRef } from 'react'
import { focusContent } from '#page-scripts/focus.ts'

interface Props {
  onRetry: () => unknown
  className?: string
}

/** A button 'Try again'. If it leaves the page while it has the focus, the content gets the focus. */
export function RetryButton({ onRetry, className = 'button' }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (document.activeElement === shown) focusContent()
    }
  }, [])

  return (
    <button ref={button} type="button" onClick={() => void onRetry()} className={className}>
      Try again
    </button>
  )
}
