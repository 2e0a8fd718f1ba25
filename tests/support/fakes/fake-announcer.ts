import { vi } from 'vitest'
import type { Announcer } from '#server/chat/announcer.ts'

/** Records what would be sent to sockets. */
export function fakeAnnouncer() {
  return {
    toCustomer: vi.fn<Announcer['toCustomer']>(),
    toEveryCustomer: vi.fn<Announcer['toEveryCustomer']>(),
    toSeller: vi.fn<Announcer['toSeller']>(),
    toEverySeller: vi.fn<Announcer['toEverySeller']>(),
  }
}
