import type { CSSProperties, ReactNode } from 'react'
import { TOOLTIP_DELAY_MS } from '#lib/constants.ts'

interface Props {
  text: string
  children: ReactNode
}

/** Shows an icon's meaning on hover or focus. The control inside needs its own accessible name. */
export function Tooltip({ text, children }: Props) {
  return (
    <span
      className="tooltip"
      data-tooltip={text}
      style={{ '--tooltip-delay': `${TOOLTIP_DELAY_MS}ms` } as CSSProperties}
    >
      {children}
    </span>
  )
}
