import type { ReactNode } from 'react'
import { Emblem } from './Emblem.tsx'

/** In an island what `Empty.astro` is on a page: why there is nothing, and what to do now. */
export function Blank({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card border border-dashed border-line px-6 py-12 text-center">
      <Emblem name="box" />
      <p className="text-balance text-lg font-medium">{text}</p>
      {children}
    </div>
  )
}
