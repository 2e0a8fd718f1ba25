import { useStore } from '@nanostores/react'
import type { MouseEvent } from 'react'
import { Avatar } from '#components/ui/Avatar.tsx'
import { Icon } from '#components/ui/Icon.tsx'
import { chatPath, shopPath } from '#contract/page-urls.ts'
import { replyText } from '#lib/catalogue/reply-time.ts'
import { leadsElsewhere } from '#lib/clicks.ts'
import { $currentFriend } from '#stores/chat/chat.ts'
import { $onlineSellers } from '#stores/realtime.ts'
import { SoundSwitch } from './SoundSwitch.tsx'

interface Props {
  sellerId: string
  onBack: () => void
}

/** Shows the seller of the conversation; on a phone also a link back to the list. */
export function ConversationHeader({ sellerId, onBack }: Props) {
  const friend = useStore($currentFriend)
  const isOnline = useStore($onlineSellers).has(sellerId)
  const reply = replyText(friend?.replyHours)

  function back(event: MouseEvent) {
    if (leadsElsewhere(event)) return
    event.preventDefault()
    onBack()
  }

  return (
    <header className="flex min-h-16 items-center gap-3 border-b border-line px-2 py-2 md:px-4">
      <a
        href={chatPath()}
        onClick={back}
        aria-label="All chats"
        className="chat-back inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-sunken hover:text-accent"
      >
        <Icon name="back" />
      </a>
      {friend && (
        <>
          <Avatar name={friend.name} image={friend.image} isOnline={isOnline} />
          <div className="min-w-0 flex-1">
            <h2 dir="auto" className="w-fit max-w-full truncate text-base font-bold">
              <a href={shopPath({ shopName: friend.name, sellerId })} className="hover:text-accent hover:underline">
                {friend.name}
              </a>
            </h2>
            <p className={`truncate text-sm ${isOnline ? 'text-good' : 'text-muted'}`}>
              {isOnline ? 'Online' : 'Offline'}
            </p>
            {reply && <p className="truncate text-sm text-muted">Usually replies {reply}</p>}
          </div>
        </>
      )}
      <span className="ml-auto">
        <SoundSwitch />
      </span>
    </header>
  )
}
