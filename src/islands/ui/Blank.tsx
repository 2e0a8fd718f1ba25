import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Emblem } from '#components/ui/Emblem.tsx'
import { focusContent } from '#page-scripts/focus.ts'

interface Props {
  text: string
  /** A link with this text that leads on. */
  href?: string
  action?: string
  /** Adds a button that tries again. */
  onRetry?: () => unknown
  children?: ReactNode
}

/** The island version of `Empty.astro`: says why there is nothing here, and what to do. */
export function Blank({ text, href, action, onRetry, children }: Props) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card border border-dashed border-line px-6 py-12 text-center">
      <Emblem name="box" />
      <p className="text-balance text-lg font-medium">{text}</p>
      {children}
      {href && (
        <a href={href} className="button">
          {action}
        </a>
      )}
      {onRetry && <RetryButton onRetry={onRetry} />}
    </div>
  )
}

interface RetryProps {
  onRetry: () => unknown
  className?: string
}

/** A button 'Try again'. If it leaves the page while it has the focus, the content gets the focus. */
export function RetryButton({ onRetry, className = 'button' }: RetryProps) {
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
