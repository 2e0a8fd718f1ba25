import { events } from '#contract/realtime.ts'
import type { ReturnKind, ReturnStatus } from '#contract/returns.ts'
import type { Database } from '../db/types.ts'
import { readProcessEvent } from '../db/process-events.ts'
import type { Announcer } from '../chat/announcer.ts'

/** Sends changes of cancellations and returns to the sockets of their shop, whichever process stored them. */
export async function announceReturns({ onChange }: Pick<Database, 'onChange'>, announcer: Announcer): Promise<void> {
  await onChange(tag => {
    if (tag === null) announcer.toEverySeller(events.returnChanged, null)
    const about = readProcessEvent(tag, 'return')
    if (about === null) return
    const [sellerId = '', returnId = '', kind, status] = about.split(':')
    const changed = { returnId, kind: kind as ReturnKind, status: status as ReturnStatus }
    announcer.toSeller(sellerId, events.returnChanged, changed)
  })
}
