import type { ReactNode } from 'react'

/** One line of a bill: name and amount. The last one is the total. */
export function SumRow({ name, children, isTotal = false }: { name: string; children: ReactNode; isTotal?: boolean }) {
  return (
    <div
      className={`flex flex-wrap justify-between gap-x-4 ${isTotal ? 'border-t border-line pt-3 text-lg font-bold' : ''}`}
    >
      <dt className={isTotal ? '' : 'text-muted'}>{name}</dt>
      <dd className="ml-auto text-right font-semibold tabular-nums">{children}</dd>
    </div>
  )
}
