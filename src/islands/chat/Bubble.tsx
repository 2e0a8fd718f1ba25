import { memo, type MouseEvent } from 'react'
import { Icon } from '#components/ui/Icon.tsx'
import { type Attachment, type Message, wordsOf } from '#contract/chat.ts'
import { formatTime, previewOf } from '#lib/chat/chat.ts'
import { truncate } from '#lib/texts.ts'
import { AboutCard } from './AboutCard.tsx'
import { Attachments } from './Attachments.tsx'
import type { Opened } from './MessageMenu.tsx'

interface Props {
  message: Message
  isOwn: boolean
  /** The first of several consecutive messages by one sender. */
  isFirst: boolean
  onPicture: (picture: Attachment) => void
  onMenu: (opened: Opened) => void
}

/** Characters of the message in its button's label, enough to tell the buttons apart. */
const NAME_LENGTH = 40

/** A stored message. */
export const Bubble = memo(function Bubble({ message, isOwn, isFirst, onPicture, onMenu }: Props) {
  const { senderName, attachments, isAutomated, createdAt, status, about } = message
  const text = wordsOf(message)

  function openMenu({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    onMenu({ message, button: currentTarget })
  }

  return (
    <li className={`bubble-row ${isOwn ? 'bubble-own' : ''} ${isFirst ? 'mt-3' : 'mt-1'}`}>
      <div className="bubble">
        <span className="sr-only">{isOwn ? 'You' : senderName}: </span>
        {isAutomated && <p className="mb-0.5 text-xs font-semibold text-info">Automated response</p>}
        {about && <AboutCard about={about} />}
        <Attachments attachments={attachments} onPicture={onPicture} />
        {text && (
          <p dir="auto" className="bubble-text">
            {withLinks(text)}
          </p>
        )}
        <p className="bubble-foot">
          <time dateTime={createdAt}>{formatTime(createdAt)}</time>
          {isOwn && <Mark isSeen={status === 'seen'} />}
        </p>
      </div>
      {isOwn && (
        <button
          type="button"
          aria-label={`Message options: ${truncate(previewOf(message), NAME_LENGTH)}`}
          aria-haspopup="menu"
          onClick={openMenu}
          className="bubble-menu inline-flex size-9 shrink-0 items-center justify-center self-center rounded-full text-muted hover:bg-sunken hover:text-accent"
        >
          <Icon name="more" />
        </button>
      )}
    </li>
  )
})

/** The text with links to this shop's pages; other addresses stay text. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/).map((part, at) =>
    part.startsWith(`${location.origin}/`) ? (
      <a key={at} href={part} className="link">
        {part}
      </a>
    ) : (
      part
    ),
  )
}

function Mark({ isSeen }: { isSeen: boolean }) {
  return (
    <span data-mark={isSeen ? 'seen' : 'sent'} className={`bubble-mark ${isSeen ? 'text-info' : ''}`}>
      <Icon name={isSeen ? 'doubleCheck' : 'check'} />
      <span className="sr-only">{isSeen ? 'Seen' : 'Sent'}</span>
    </span>
  )
}
