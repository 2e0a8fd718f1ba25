import { useEffect, useState } from 'react'
import { Spinner } from '#components/ui/Spinner.tsx'
import { ApiError, messageOf } from '#lib/api.ts'
import { readLinkToken } from '#lib/accounts/link-token.ts'
import { endAlerts } from '#stores/cart/end-alerts.ts'

type State = { state: 'ending' | 'ended' } | { state: 'failed'; message: string }

/** Ends the alerts of the mailed link as soon as the page has loaded, and shows the outcome. */
export function EndAlerts() {
  const [shown, setShown] = useState<State>({ state: 'ending' })

  async function end() {
    const token = readLinkToken()
    if (!token) return setShown({ state: 'failed', message: 'This link is not complete' })
    setShown({ state: 'ending' })
    try {
      await endAlerts(token)
      setShown({ state: 'ended' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setShown({ state: 'failed', message: messageOf(error) })
    }
  }
  useEffect(() => void end(), [])

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
          <button type="button" onClick={() => void end()} className="button w-full">
            Try again
          </button>
        </>
      )}
    </div>
  )
}
