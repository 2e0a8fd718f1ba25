import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Spinner } from '#components/ui/Spinner.tsx'
import { $ending, endAlerts } from '#stores/cart/end-alerts.ts'

/** Ends the alerts of the mailed link as soon as the page has loaded, and shows the outcome. */
export function EndAlerts() {
  const shown = useStore($ending)
  useEffect(() => void endAlerts(), [])

  // The minimum height fits the longest text on a phone, so that nothing below it moves.
  return (
    <div className="flex min-h-40 flex-col justify-center gap-4">
      {shown.state === 'ending' && (
        <output className="flex items-center gap-3 font-medium">
          <Spinner />
          Ending your alerts …
        </output>
      )}
      {shown.state === 'ended' && (
        <>
          <output className="block rounded-control bg-good/10 px-4 py-3 font-medium text-good">
            All your alerts have ended. We write to you about none of these products any more.
          </output>
          <a href="/" className="button w-full">
            Continue shopping
          </a>
        </>
      )}
      {shown.state === 'failed' && (
        <>
          <p role="alert" className="rounded-control bg-bad/10 px-4 py-3 font-medium text-bad">
            {shown.message}.
          </p>
          <button type="button" onClick={() => void endAlerts()} className="button w-full">
            Try again
          </button>
        </>
      )}
    </div>
  )
}
