import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fitAboveKeyboard } from '#page-scripts/chat/chat-window.ts'
import { closeChat, followChat, openChat } from '#stores/chat/chat.ts'
import { $friends } from '#stores/chat/friends.ts'
import { openSellerId } from '#stores/chat/open-chat.ts'
import { sellerIdOf } from '#lib/chat/chat.ts'
import { Conversation } from './Conversation.tsx'
import { FriendList } from './FriendList.tsx'
import { useChatRoute } from './use-chat-route.ts'

// The messages are requested while React loads. The page renders this island only in the browser.
const askedFor = sellerIdOf(location.pathname)
if (askedFor) void openChat(askedFor)

/**
 * The list of sellers and one conversation: the one in the URL, otherwise the first. A phone shows only one of the two;
 * going back leads to the list.
 */
export function Chat() {
  const { sellerId, isList, go, goBack } = useChatRoute()
  const friends = useStore($friends)
  // Keep the first conversation open when another friend moves to the top.
  const [first, setFirst] = useState<string | null>(null)
  const latest = friends.state === 'ready' ? (friends.value[0]?.id ?? null) : null
  if (!isList && !sellerId && !first && latest) setFirst(latest)
  const isEmpty = friends.state === 'ready' && friends.value.length === 0
  const shownId = sellerId ?? (isList ? null : first)

  useEffect(() => {
    if (!shownId) closeChat()
    else if (shownId !== openSellerId()) void openChat(shownId)
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
