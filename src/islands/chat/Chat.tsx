import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fitAboveKeyboard } from '#lib/chat-window.ts'
import { closeChat, followChat, openChat } from '#stores/chat.ts'
import { $friends } from '#stores/friends.ts'
import { Conversation } from './Conversation.tsx'
import { FriendList } from './FriendList.tsx'
import { useChatRoute } from './use-chat-route.ts'

/**
 * The sellers and the conversation with one of them: the one that the address names, else on a wide window the first; on
 * a phone list and conversation are two steps.
 */
export function Chat() {
  const { sellerId, isWide, go, goBack } = useChatRoute()
  const friends = useStore($friends)
  // The first friend stays open, whoever becomes the first.
  const [first, setFirst] = useState<string | null>(null)
  const latest = friends.state === 'ready' ? (friends.value[0]?.id ?? null) : null
  if (isWide && !sellerId && !first && latest) setFirst(latest)
  const shownId = sellerId ?? (isWide ? first : null)

  useEffect(() => {
    if (shownId) void openChat(shownId)
    else closeChat()
  }, [shownId])
  useEffect(followChat, [])
  useEffect(fitAboveKeyboard, [])

  return (
    <div data-chat={sellerId ? 'conversation' : 'list'} className="chat">
      <FriendList friends={friends} shownId={shownId} onOpen={go} />
      <Conversation key={shownId} sellerId={shownId} onBack={goBack} />
    </div>
  )
}
