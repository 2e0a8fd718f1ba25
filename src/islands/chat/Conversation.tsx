import { useStore } from '@nanostores/react'
import { type DragEvent, useState } from 'react'
import { ConversationSkeleton } from '#components/chat/ConversationSkeleton.tsx'
import { openChat } from '#stores/chat/chat.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { chooseFiles } from '#stores/chat/uploads.ts'
import { Blank } from '../ui/Blank.tsx'
import { Composer } from './Composer.tsx'
import { ConversationHeader } from './ConversationHeader.tsx'
import { MessageList } from './MessageList.tsx'

interface Props {
  sellerId: string | null
  onBack: () => void
}

/** The conversation with a seller and the message form. Files can be dropped anywhere on it. */
export function Conversation({ sellerId, onBack }: Props) {
  const open = useStore($openChat)
  const isMissing = open.state === 'missing' && open.sellerId === sellerId
  const [isOver, setIsOver] = useState(false)

  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(true)
  }

  function leave({ currentTarget, relatedTarget }: DragEvent) {
    if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false)
  }

  function drop(event: DragEvent) {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    setIsOver(false)
    chooseFiles(sellerId, [...event.dataTransfer.files])
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- 'Attach files' does the same.
    <section
      aria-label="Conversation"
      className="chat-conversation"
      onDragOver={over}
      onDragLeave={leave}
      onDrop={drop}
    >
      {sellerId && <ConversationHeader sellerId={sellerId} onBack={onBack} />}
      <Body sellerId={sellerId} />
      {!isMissing && <Composer sellerId={sellerId} />}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-card border-2 border-dashed border-accent bg-surface/90 text-lg font-semibold text-accent">
          Drop files to attach them
        </div>
      )}
    </section>
  )
}

function Body({ sellerId }: { sellerId: string | null }) {
  const open = useStore($openChat)
  if (!sellerId) return <Middle>Select a seller to continue</Middle>
  if (open.state === 'none' || open.sellerId !== sellerId || open.state === 'loading')
    return (
      <div aria-busy="true" className="flex min-h-0 flex-1 flex-col">
        <output className="sr-only">Loading your messages</output>
        <ConversationSkeleton />
      </div>
    )
  if (open.state === 'ready') return <MessageList sellerId={sellerId} />
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-4">
      {open.state === 'failed' ? (
        <Blank text={open.message} onRetry={() => openChat(sellerId)} />
      ) : (
        <Blank text="There is no such shop." href="/stores" action="See all shops" />
      )}
    </div>
  )
}

function Middle({ children }: { children: string }) {
  return <p className="flex min-h-0 flex-1 items-center justify-center p-6 text-center text-muted">{children}</p>
}
