import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { DevicesSection, SessionSkeleton } from '#components/accounts/DevicesSection.tsx'
import { BusyButton } from '#components/ui/Spinner.tsx'
import type { CustomerSession } from '#contract/profile.ts'
import { formatMoment } from '#lib/orders/orders.ts'
import { $sessions, endOtherSessions, endSession, loadSessions } from '#stores/accounts/sessions.ts'
import { RetryButton } from '../ui/Blank.tsx'
import { useAction } from '../ui/use-action.ts'

/** The devices on which the customer is logged in, with buttons that log them out. */
export function SessionList() {
  const load = useStore($sessions)
  const { isBusy, run } = useAction(endOtherSessions)
  const list = useRef<HTMLUListElement>(null)
  // Removing a device from the list would lose the focus.
  const focusList = () => list.current?.focus()
  if (load.state === 'missing') return null
  return (
    <DevicesSection id="devices">
      {load.state === 'failed' && (
        <p className="mt-4">
          {load.message}. <RetryButton onRetry={loadSessions} className="link" />
        </p>
      )}
      {load.state === 'loading' && <SessionSkeleton />}
      {load.state === 'ready' && (
        <>
          <ul ref={list} tabIndex={-1} aria-labelledby="devices" className="mt-3 divide-y divide-line">
            {load.value.map(session => (
              <Session key={session.id} session={session} onEnd={focusList} />
            ))}
          </ul>
          {load.value.length > 1 && (
            <BusyButton
              type="button"
              isBusy={isBusy}
              onClick={() => {
                run()
                focusList()
              }}
              className="button-quiet mt-2 w-full sm:w-auto"
            >
              Log out all other devices
            </BusyButton>
          )}
        </>
      )}
    </DevicesSection>
  )
}

function Session({ session, onEnd }: { session: CustomerSession; onEnd: () => void }) {
  const { id, device, startedAt, lastUsedAt, isCurrent } = session
  const { isBusy, run } = useAction(async () => {
    await endSession(id)
    onEnd()
  })
  return (
    <li className="flex items-center justify-between gap-4 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {device}
          {isCurrent && (
            <span className="rounded-full bg-good/10 px-2.5 py-0.5 text-sm font-medium text-good">This device</span>
          )}
        </p>
        <p className="text-sm text-muted">
          {!isCurrent && (
            <>
              Last used <time dateTime={lastUsedAt}>{formatMoment(lastUsedAt)}</time>
              <br />
            </>
          )}
          Logged in <time dateTime={startedAt}>{formatMoment(startedAt)}</time>
        </p>
      </div>
      {!isCurrent && (
        <BusyButton type="button" isBusy={isBusy} onClick={run} className="button-quiet shrink-0">
          Log out<span className="sr-only"> {device}</span>
        </BusyButton>
      )}
    </li>
  )
}
