import { events } from '#contract/realtime.ts'
import type { Database } from '../db/types.ts'
import { readProcessEvent } from '../db/process-events.ts'
import type { Announcer } from '../chat/announcer.ts'
import type { ReturnAnnouncement } from '../returns/notifying.ts'

/**
 * Sends notifications to connected customers, and changes of cancellations and returns to the sockets of their shop,
 * whichever process stored them.
 */
export async function announceChanges({ onChange }: Pick<Database, 'onChange'>, announcer: Announcer): Promise<void> {
  await onChange(tag => {
    if (tag === null) {
      announcer.toEveryCustomer(events.notification, { id: null })
      announcer.toEverySeller(events.returnChanged, null)
    }
    const notification = readProcessEvent(tag, 'notification')
    if (notification !== null) announceNotification(announcer, notification)
    const change = readProcessEvent(tag, 'return')
    if (change !== null) announceReturn(announcer, change)
  })
}

function announceNotification(announcer: Announcer, about: string): void {
  const [id = '', userId = ''] = about.split(':')
  if (userId === '') announcer.toEveryCustomer(events.notification, { id })
  else announcer.toCustomer(userId, events.notification, { id })
}

function announceReturn(announcer: Announcer, about: string): void {
  const { sellerId, changed } = JSON.parse(about) as ReturnAnnouncement
  announcer.toSeller(sellerId, events.returnChanged, changed)
}
