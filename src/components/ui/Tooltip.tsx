import type { CSSProperties, ReactNode } from 'react'
import { TOOLTIP_DELAY_MS } from '#lib/constants.ts'

interface Props {
  text: string
  children: ReactNode
}

/** Says what an icon means to whoever rests on it; the control inside names itself for everyone else. */
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
