import * as z from 'zod/mini'
import { endpoint, NoInput, renamed } from './endpoint.ts'
import { Acknowledgement, hint, Id } from './wire.ts'

/** Most urgent first. */
export const PRIORITIES = ['high', 'medium', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export const MAX_TITLE_LENGTH = 100
export const MAX_TEXT_LENGTH = 1000

const ANYWHERE = 'https://shop.invalid'

/** Whether a link is a path of the shop. It is parsed as a browser does, so that it cannot lead to another host. */
export function isShopPath(link: string): boolean {
  if (!/^\/[^\p{Cc}\\]*$/u.test(link) || !URL.canParse(link, ANYWHERE)) return false
  const { origin, pathname } = new URL(link, ANYWHERE)
  return origin === ANYWHERE && !pathname.startsWith('//')
}

/** `readBy` holds the requesting customer if they have read it; otherwise it is empty. `link` is a path of the shop. */
export const Notification = renamed(
  {
    _id: z.string(),
    title: z.string(),
    message: z.string(),
    priority: z.enum(PRIORITIES),
    createdAt: z.iso.datetime(),
    readBy: z.array(z.object({ userId: z.string(), userType: z.string(), readAt: z.iso.datetime() })),
    link: z.optional(z.string()),
  },
  { _id: 'id' },
)
export type Notification = z.output<typeof Notification>

/** Newest first, at most 200. */
export const getNotifications = endpoint({
  method: 'GET',
  path: '/customer/notifications',
  input: NoInput,
  output: z.object({ success: z.boolean(), notifications: z.array(Notification) }),
  isForCustomers: true,
})

/** Idempotent. `userType` is 'customers'; the provider ignores it. */
export const readNotification = endpoint({
  method: 'PUT',
  path: '/customer/notifications/:id/read',
  input: z.object({ id: Id('id'), userType: hint(z.string()) }),
  output: Acknowledgement,
  isForCustomers: true,
})
