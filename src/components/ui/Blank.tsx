import type { ReactNode } from 'react'
import { Emblem } from './Emblem.tsx'
import { RetryButton } from './RetryButton.tsx'

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
