import { events } from '#contract/realtime.ts'
import type { Database } from '../db/types.ts'
import { readProcessEvent } from '../db/process-events.ts'
import type { Announcer } from '../chat/announcer.ts'

/** Sends notifications to connected customers, whichever process stored them. */
export async function announceNotifications(
  { onChange }: Pick<Database, 'onChange'>,
  announcer: Announcer,
): Promise<void> {
  await onChange(tag => {
    if (tag === null) announcer.toEveryCustomer(events.notification, { id: null })
    const about = readProcessEvent(tag, 'notification')
    if (about === null) return
    const [id = '', userId = ''] = about.split(':')
    if (userId === '') announcer.toEveryCustomer(events.notification, { id })
    else announcer.toCustomer(userId, events.notification, { id })
  })
}
