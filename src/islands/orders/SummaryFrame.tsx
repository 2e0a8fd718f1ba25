import { type ReactNode, useEffect, useRef } from 'react'
import { formatExact } from '#lib/format.ts'

/** Keeps a form's or a summary's main button at the lower edge of small windows, except of very low ones. */
export const BOTTOM_BAR =
  'sticky bottom-0 z-30 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 shadow-raised sm:-mx-6 sm:px-6 lg:static [@media(max-height:26rem)]:static'

/** The main button in a bottom bar, beside a total or a message. */
export const BAR_BUTTON = 'button ml-auto flex-1 basis-44 sm:flex-none sm:basis-64 lg:ml-0 lg:w-full'

interface Props {
  children: ReactNode
  /** The total, the main button and what belongs to it; on phones they stay at the lower edge of the window. */
  bar: ReactNode
}

/**
 * The order summary of the checkout. Its parent is a column on phones and a grid on wide screens. The cart has the same
 * bar (`CartSummary.tsx`): its byte budget has no room for a shared file.
 */
export function SummaryFrame({ children, bar }: Props) {
  return (
    <section aria-labelledby="summary" className="contents lg:sticky lg:top-32 lg:block lg:h-fit">
      <div className={`card space-y-4 p-5 ${bar ? 'lg:rounded-b-none lg:border-b-0 lg:shadow-none' : ''}`}>
        {children}
      </div>
      {bar && (
        <div
          data-bottom-bar
          className={`${BOTTOM_BAR} order-last -mt-2 lg:m-0 lg:block lg:space-y-4 lg:rounded-b-card lg:border lg:border-t-0 lg:p-5 lg:pt-0 lg:shadow-card`}
        >
          {bar}
        </div>
      )}
    </section>
  )
}

/** The total in a summary's bar. */
export function BarTotal({ name, cents }: { name: string; cents: number }) {
  return (
    <>
      <dl className="lg:border-t lg:border-line lg:pt-3">
        <div className="lg:flex lg:flex-wrap lg:justify-between lg:gap-x-4 lg:text-lg lg:font-bold">
          <dt className="text-sm text-muted lg:text-lg lg:text-ink">{name}</dt>
          <dd className="text-lg font-bold tabular-nums">{formatExact(cents)}</dd>
        </div>
      </dl>
      <p className="sr-only lg:not-sr-only lg:text-sm lg:text-muted">You pay in US dollars.</p>
    </>
  )
}

/** An error beside the total. It scrolls into view, because on phones the button may be far away from it. */
export function SummaryAlert({ children }: { children: ReactNode }) {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  return (
    <div ref={alert} role="alert" className="rounded-control bg-bad/10 px-4 py-3 text-bad">
      {children}
    </div>
  )
}
