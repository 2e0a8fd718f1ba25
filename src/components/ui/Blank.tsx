import type { ReactNode } from 'react'
import { Emblem } from './Emblem.tsx'

/** The island version of `Empty.astro`: says why there is nothing here, and what to do. */
export function Blank({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card border border-dashed border-line px-6 py-12 text-center">
      <Emblem name="box" />
      <p className="text-balance text-lg font-medium">{text}</p>
      {children}
    </div>
  )
}
