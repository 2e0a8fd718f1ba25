import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fitAboveKeyboard } from '#page-scripts/chat/chat-window.ts'
import { closeChat, followChat, openChat } from '#stores/chat/chat.ts'
import { $friends } from '#stores/chat/friends.ts'
import { Conversation } from './Conversation.tsx'
import { FriendList } from './FriendList.tsx'
import { useChatRoute } from './use-chat-route.ts'

/**
 * The sellers and the conversation with one of them: the one that the address names, else the first. A phone shows one
 * of the two, the list when the customer goes back to it.
 */
export function Chat() {
  const { sellerId, isList, go, goBack } = useChatRoute()
  const friends = useStore($friends)
  // The first friend stays open, whoever becomes the first.
  const [first, setFirst] = useState<string | null>(null)
  const latest = friends.state === 'ready' ? (friends.value[0]?.id ?? null) : null
  if (!isList && !sellerId && !first && latest) setFirst(latest)
  const isEmpty = friends.state === 'ready' && friends.value.length === 0
  const shownId = sellerId ?? (isList ? null : first)

  useEffect(() => {
    if (shownId) void openChat(shownId)
    else closeChat()
  }, [shownId])
  useEffect(followChat, [])
  useEffect(fitAboveKeyboard, [])

  return (
    <div data-chat={shownId ? 'conversation' : isEmpty ? 'empty' : 'list'} className="chat">
      <FriendList friends={friends} shownId={shownId} onOpen={go} />
      <Conversation key={shownId} sellerId={shownId} onBack={goBack} />
    </div>
  )
}
