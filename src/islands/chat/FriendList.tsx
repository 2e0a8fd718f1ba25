import { useStore } from '@nanostores/react'
import type { MouseEvent } from 'react'
import { Avatar } from '#components/ui/Avatar.tsx'
import { Emblem } from '#components/ui/Emblem.tsx'
import type { Friend } from '#contract/chat.ts'
import { chatPath } from '#contract/page-urls.ts'
import { formatLast } from '#lib/chat/chat.ts'
import { leadsElsewhere } from '#lib/clicks.ts'
import { badgeText } from '#lib/notifications/notifications.ts'
import { loadFriends } from '#stores/chat/friends.ts'
import type { Load } from '#stores/load.ts'
import { $onlineSellers } from '#stores/realtime.ts'
import { RetryButton } from '../ui/Blank.tsx'

interface Props {
  friends: Load<Friend[]>
  shownId: string | null
  onOpen: (sellerId: string) => void
}

export function FriendList({ friends, shownId, onOpen }: Props) {
  const online = useStore($onlineSellers)
  return (
    <nav aria-label="Sellers" className="chat-list">
      {friends.state === 'loading' && <Loading />}
      {(friends.state === 'failed' || friends.state === 'missing') && (
        <div className="flex flex-col items-center gap-3 p-6 text-center">
          <p>{friends.state === 'failed' ? friends.message : 'Your chats could not be loaded.'}</p>
          <RetryButton onRetry={loadFriends} className="button-quiet" />
        </div>
      )}
      {friends.state === 'ready' && friends.value.length === 0 && <Nobody />}
      {friends.state === 'ready' && friends.value.length > 0 && (
        <ul className="space-y-1 p-2">
          {friends.value.map(friend => (
            <li key={friend.id}>
              <FriendLink
                friend={friend}
                isOnline={online.has(friend.id)}
                isShown={friend.id === shownId}
                onOpen={() => onOpen(friend.id)}
              />
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

interface LinkProps {
  friend: Friend
  isOnline: boolean
  isShown: boolean
  onOpen: () => void
}

function FriendLink({ friend, isOnline, isShown, onOpen }: LinkProps) {
  const { id, name, image, unread, lastMessage, lastAt } = friend
  const isNew = unread > 0 && !isShown

  function openChat(event: MouseEvent) {
    if (leadsElsewhere(event)) return
    event.preventDefault()
    onOpen()
  }

  return (
    <a
      href={chatPath(id)}
      onClick={openChat}
      aria-current={isShown ? 'page' : undefined}
      className="group flex items-center gap-3 rounded-control p-2 hover:bg-sunken aria-[current]:bg-accent-soft"
    >
      <Avatar name={name} image={image} isOnline={isOnline} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span dir="auto" className={`truncate ${isNew ? 'font-bold' : 'font-semibold'}`}>
            {name}
          </span>
          {lastAt && (
            <time dateTime={lastAt} className="shrink-0 text-xs text-muted">
              {formatLast(lastAt)}
            </time>
          )}
        </span>
        <span className="flex min-h-5 items-center justify-between gap-2 text-sm">
          <span dir="auto" className={`truncate ${isNew ? 'font-semibold' : 'text-muted'}`}>
            {lastMessage}
          </span>
          {isNew && (
            <span className="inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-accent px-1 text-xs font-bold text-accent-ink">
              <span aria-hidden="true">{badgeText(unread)}</span>
              <span className="sr-only">{unread} unread</span>
            </span>
          )}
        </span>
      </span>
    </a>
  )
}

function Nobody() {
  return (
    <div className="flex min-h-96 flex-col items-center justify-center gap-3 px-6 py-12 text-center">
      <Emblem name="chat" />
      <p className="text-lg font-medium">No conversations yet</p>
      <p className="text-sm text-muted">Choose ‘Chat seller’ on a product page to start one.</p>
      <a href="/products" className="button">
        Browse products
      </a>
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="animate-pulse space-y-2 p-2">
      <output className="sr-only">Loading your chats</output>
      {[0, 1, 2].map(at => (
        <div key={at} className="h-14 rounded-control bg-sunken" />
      ))}
    </div>
  )
}
