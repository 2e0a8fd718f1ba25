import type { ReactNode } from 'react'
import { RetryButton } from './Blank.tsx'
import { Spinner } from '#components/ui/Spinner.tsx'

/** What a mailed link has led to. The minimum height fits the longest text on a phone, so that nothing below moves. */
export function LinkOutcome({ children }: { children: ReactNode }) {
  return <div className="flex min-h-56 flex-col justify-center gap-4">{children}</div>
}

export function InProgress({ text }: { text: string }) {
  return (
    <output className="flex items-center gap-3 font-medium">
      <Spinner />
      {text} …
    </output>
  )
}

export function Success({ text }: { text: string }) {
  return <output className="block rounded-control bg-good/10 px-4 py-3 font-medium text-good">{text}</output>
}

export function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 font-medium text-bad">
      {text}.
    </p>
  )
}

/** The link could not be checked. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => Promise<void> }) {
  return (
    <>
      <Problem text={message} />
      <RetryButton onRetry={onRetry} className="button w-full" />
    </>
  )
}
