import { ConversationSkeleton } from './ConversationSkeleton.tsx'

const list = [0, 1, 2, 3]

/** The chat page while it is loading. On a phone, it shows the list or the conversation. */
export function ChatSkeleton({ step }: { step: 'list' | 'conversation' }) {
  return (
    <div data-chat={step} aria-busy="true" className="chat">
      <output className="sr-only">Loading your chats</output>
      <div aria-hidden="true" className="chat-list animate-pulse space-y-2 p-2">
        {list.map(at => (
          <div key={at} className="flex items-center gap-3 p-2">
            <div className="size-11 rounded-full bg-sunken" />
            <div className="flex-1 space-y-2">
              <div className="h-4 w-2/3 rounded bg-sunken" />
              <div className="h-3 w-full rounded bg-sunken" />
            </div>
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="chat-conversation">
        <ConversationSkeleton />
      </div>
    </div>
  )
}
