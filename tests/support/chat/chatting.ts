import { vi } from 'vitest'
import type { Friend, Message } from '#contract/chat.ts'
import { ApiError } from '#lib/api.ts'

export const AWAY = new ApiError(503, 'The marketplace cannot be reached right now', { isSilent: true })

/** Message `seq` between Ada and the shop 'shop'. Odd ones are Ada's, unless `change` says otherwise. */
export function message(seq: number, change: Partial<Message> = {}): Message {
  const isAdas = change.senderId ? change.senderId === 'ada' : seq % 2 === 1
  return {
    id: `m${seq}`,
    senderId: isAdas ? 'ada' : 'shop',
    receiverId: isAdas ? 'shop' : 'ada',
    senderName: isAdas ? 'Ada' : 'Toy Town',
    text: `text ${seq}`,
    createdAt: new Date(Date.UTC(2025, 9, 3, 14, seq)).toISOString(),
    status: 'sent',
    attachments: [],
    isAutomated: false,
    seq,
    needsAttention: false,
    ...change,
  }
}

export function friend(id: string, change: Partial<Friend> = {}): Friend {
  return { id, name: id, image: '', unread: 0, lastMessage: '', ...change }
}

/** Stubs the browser for the chat's stores. `look` makes the page visible or hidden. */
export function stubBrowser() {
  const page = { visibilityState: 'visible' }
  vi.stubGlobal('dispatchEvent', () => true)
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { onLine: true, userActivation: { hasBeenActive: false } })
  return { look: (isVisible: boolean) => void (page.visibilityState = isVisible ? 'visible' : 'hidden') }
}
