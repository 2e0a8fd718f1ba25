import { events } from '#contract/realtime.ts'
import type { Message } from '#contract/chat.ts'
import { isInView } from './open-chat.ts'
import { onEvent } from '../socket-events.ts'
import { sound } from './sound.ts'
import { toast } from '../ui/toasts.ts'

/** Plays a sound for each seller's message, and shows a toast unless the customer is looking at its conversation. */
export function announceMessages(): void {
  onEvent(events.sellerMessage, announce)
}

function announce({ senderId, senderName }: Message): void {
  sound('received')
  if (!isInView(senderId)) toast('blank', 'New message', { details: `${senderName} sent a message` })
}
