import { useStore } from '@nanostores/react'
import { Fragment, useState } from 'react'
import type { Attachment, Message } from '#contract/chat.ts'
import { formatChatDay, needsAttention, previewOf } from '#lib/chat/chat.ts'
import { $replying } from '#stores/chat/ai-replies.ts'
import { $messages, $waiting } from '#stores/chat/chat.ts'
import { $customer } from '#stores/accounts/session.ts'
import { Bubble } from './Bubble.tsx'
import { Earlier } from './Earlier.tsx'
import { MessageMenu, type Opened } from './MessageMenu.tsx'
import { PictureViewer } from './PictureViewer.tsx'
import { useEnd } from './use-end.ts'
import { WaitingBubble } from './WaitingBubble.tsx'

/** The messages, newest at the bottom. The list stays at the bottom until the reader scrolls up. */
export function MessageList({ sellerId }: { sellerId: string }) {
  const messages = useStore($messages)
  const waiting = useStore($waiting)
  const isReplying = useStore($replying).has(sellerId)
  const customerId = useStore($customer)?.id ?? ''
  const [picture, setPicture] = useState<Attachment | null>(null)
  const [menu, setMenu] = useState<Opened | null>(null)
  const received = messages.filter(({ senderId }) => senderId === sellerId)
  const lastSeq = received.at(-1)?.seq ?? 0
  const ownCount = messages.length - received.length + waiting.length
  const { scroller, readUpTo, toEnd } = useEnd({ firstSeq: messages[0]?.seq ?? 0, lastSeq, ownCount })
  const missed = received.filter(({ seq }) => seq > readUpTo).length
  const isEmpty = messages.length === 0 && waiting.length === 0

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrollable areas need keyboard access. */}
      <section ref={scroller} aria-label="Chat history" tabIndex={0} className="chat-messages">
        {isEmpty && (
          <p className="flex flex-1 items-center justify-center text-center text-muted">You have no shared messages</p>
        )}
        <Earlier sellerId={sellerId} scroller={scroller} />
        <ol className="mt-auto">
          {messages.map((message, at) => (
            <Fragment key={message.clientId ?? message.id}>
              <Day of={message.createdAt} after={messages[at - 1]?.createdAt} />
              <Bubble
                message={message}
                isOwn={message.senderId === customerId}
                isFirst={messages[at - 1]?.senderId !== message.senderId}
                onPicture={setPicture}
                onMenu={setMenu}
              />
            </Fragment>
          ))}
          {waiting.map((outgoing, at) => (
            <Fragment key={outgoing.clientId}>
              <Day of={outgoing.at} after={waiting[at - 1]?.at ?? messages.at(-1)?.createdAt} />
              <WaitingBubble outgoing={outgoing} />
            </Fragment>
          ))}
        </ol>
        <output className="block text-sm text-muted">
          {isReplying && <span className="mt-2 inline-block animate-pulse">AI is typing...</span>}
        </output>
      </section>
      {missed > 0 && (
        <button
          type="button"
          onClick={() => {
            toEnd()
            // The focused button is about to be removed.
            scroller.current?.focus({ preventScroll: true })
          }}
          className="button absolute bottom-3 left-1/2 z-10 min-h-11 -translate-x-1/2 rounded-full px-4 shadow-raised"
        >
          {missed === 1 ? '1 new message' : `${missed} new messages`}
          <span aria-hidden="true">↓</span>
        </button>
      )}
      <output>
        {needsAttention(messages, sellerId) && (
          <span className="block border-t border-line bg-accent-soft px-4 py-2 text-center text-sm font-medium">
            This conversation may need human attention
          </span>
        )}
      </output>
      <Announcer received={received} />
      <MessageMenu opened={menu} sellerId={sellerId} onClose={() => setMenu(null)} />
      {picture && <PictureViewer picture={picture} onClose={() => setPicture(null)} />}
    </div>
  )
}

/** Announces incoming messages to screen readers, but not those that were there at first. */
function Announcer({ received }: { received: Message[] }) {
  const [first] = useState(() => received.at(-1)?.seq ?? 0)
  const last = received.at(-1)
  return (
    <p aria-live="polite" className="sr-only">
      {last && last.seq > first && `${last.senderName}: ${previewOf(last)}`}
    </p>
  )
}

/** Shows a message's day, unless the previous message has the same. Both are ISO 8601. */
function Day({ of, after }: { of: string; after: string | undefined }) {
  const day = formatChatDay(of)
  if (after && formatChatDay(after) === day) return null
  return (
    <li className="py-3 text-center text-sm font-medium text-muted">
      <time dateTime={of.slice(0, 10)}>{day}</time>
    </li>
  )
}
