import { events } from '#contract/realtime.ts'
import type { Message } from '#contract/chat.ts'
import { isLookedAt } from './open-chat.ts'
import { hear } from '../realtime.ts'
import { sound } from './sound.ts'
import { toast } from '../ui/toasts.ts'

/**
 * On every connected page: plays a sound for a seller's message, and shows a toast unless its conversation is in view.
 */
export function announceMessages(): void {
  hear(events.sellerMessage, announce)
}

function announce({ senderId, senderName }: Message): void {
  sound('received')
  if (!isLookedAt(senderId)) toast('blank', 'New message', `${senderName} sent a message`)
}
