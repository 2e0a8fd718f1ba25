import { events } from '#contract/realtime.ts'
import type { Database } from '../db/types.ts'
import { readProcessEvent } from '../db/process-events.ts'
import type { Announcer } from '../chat/announcer.ts'
import type { ReturnAnnouncement } from '../returns/notifying.ts'

/** Sends changes of cancellations and returns to the sockets of their shop, whichever process stored them. */
export async function announceReturns({ onChange }: Pick<Database, 'onChange'>, announcer: Announcer): Promise<void> {
  await onChange(tag => {
    if (tag === null) announcer.toEverySeller(events.returnChanged, null)
    const announcement = readProcessEvent(tag, 'return')
    if (announcement === null) return
    const { sellerId, changed } = JSON.parse(announcement) as ReturnAnnouncement
    announcer.toSeller(sellerId, events.returnChanged, changed)
  })
}
