import { events } from '#contract/realtime.ts'
import type { Database } from '../db/open.ts'
import type { Announcer } from './announcer.ts'

const KIND = 'notification:'

/** What the database tells all processes when a notification is stored or read; null is everybody. */
export function newsTag({ id, userId }: { id: string; userId: string | null }): string {
  return `${KIND}${id}:${userId ?? ''}`
}

/** Whether a change is about notifications, which no stored page shows. */
export function isNews(tag: string | null): boolean {
  return tag?.startsWith(KIND) ?? false
}

/** Has customers who are connected hear of their notifications, whichever process stored them. */
export async function announceNews({ onChange }: Pick<Database, 'onChange'>, announcer: Announcer): Promise<void> {
  await onChange(tag => {
    if (tag === null) announcer.toEveryCustomer(events.notification, { id: null })
    if (tag === null || !isNews(tag)) return
    const [id = '', userId = ''] = tag.slice(KIND.length).split(':')
    if (userId === '') announcer.toEveryCustomer(events.notification, { id })
    else announcer.toCustomer(userId, events.notification, { id })
  })
}
