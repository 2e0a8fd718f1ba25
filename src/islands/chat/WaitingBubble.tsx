import type { MouseEvent } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { wordsOf } from '#contract/chat.ts'
import { formatTime } from '#lib/chat/chat.ts'
import type { Outgoing } from '#stores/chat/unsent-messages.ts'
import { discardMessage, sendAgain } from '#stores/chat/outbox.ts'
import { AboutCard } from './AboutCard.tsx'

const action = 'inline-flex min-h-9 items-center rounded-control px-2 font-semibold text-accent hover:underline'

/** A message that is being sent or was rejected. */
export function WaitingBubble({ outgoing }: { outgoing: Outgoing }) {
  const { clientId, about, at, problem } = outgoing
  const text = wordsOf(outgoing)
  /** The buttons disappear, with or without the message. */
  function leave({ currentTarget }: MouseEvent<HTMLButtonElement>, next: (clientId: string) => void) {
    currentTarget.closest('section')?.focus()
    next(clientId)
  }

  return (
    <li className="bubble-row bubble-own mt-1">
      <div className={`bubble ${problem ? 'bubble-failed' : ''}`}>
        <span className="sr-only">You: </span>
        {about && <AboutCard about={about} />}
        {text && (
          <p dir="auto" className="bubble-text">
            {text}
          </p>
        )}
        <p className="bubble-foot">
          <time dateTime={at}>{formatTime(at)}</time>
          {!problem && (
            <span data-mark="waiting" className="bubble-mark">
              <Icon name="clock" />
              <span className="sr-only">Sending</span>
            </span>
          )}
        </p>
        {problem && (
          <div role="alert" className="flex flex-wrap items-center gap-x-2 text-sm">
            <span className="font-medium text-bad">Not sent: {problem}</span>
            <span className="-mx-2">
              <button type="button" onClick={event => leave(event, sendAgain)} className={action}>
                Try again
              </button>
              <button type="button" onClick={event => leave(event, discardMessage)} className={action}>
                Discard
              </button>
            </span>
          </div>
        )}
      </div>
    </li>
  )
}
