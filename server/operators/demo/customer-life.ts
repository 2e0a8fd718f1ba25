import { orderPath } from '#contract/page-urls.ts'
import { REFUND_TIME } from '#contract/rules.ts'
import type { conversations, messages, notificationReads, notifications, wishlistItems } from '#server/db/schema.ts'
import { encodeStep, type Step } from '#server/db/schema/steps.ts'
import { customerId } from './customer.ts'
import { attemptIdOf } from './payments.ts'
import { partId, purchaseId } from './purchases.ts'
import { daysAgo, demoId, morningAgo } from './rows.ts'

const WISHES = ['cirrus-running-shoes', 'woven-market-basket', 'basalt-16-laptop-for-editing-and-drawing']

export function wishRows(): (typeof wishlistItems.$inferInsert)[] {
  return WISHES.map((key, at) => ({
    id: demoId('wish', key),
    userId: customerId,
    productId: demoId('product', key),
    createdAt: daysAgo(at + 2),
  }))
}

/** A conversation with a shop that replies by hand. */
const CHAT_SHOP = 'soleway'
const CHAT: [sender: 'customer' | 'seller', text: string][] = [
  ['customer', 'Hello! I usually wear 42 in running shoes. Which size should I take in the Cirrus Trail?'],
  ['seller', 'Good morning! They run true to size, so 42. With thick socks for winter we would take 43.'],
  ['customer', 'Thank you, then I’ll take my usual size.'],
  ['seller', 'Good choice. We’ll pack it this afternoon and let you know when it is on its way.'],
]

export function conversationRows(): {
  conversation: typeof conversations.$inferInsert
  messages: (typeof messages.$inferInsert)[]
} {
  const id = demoId('conversation', CHAT_SHOP)
  const written = CHAT.map(([sender, text], at) => ({
    id: demoId('message', `${CHAT_SHOP}:${at}`),
    conversationId: id,
    seq: at + 1,
    sender,
    text,
    createdAt: morningAgo(4, at * 420),
  }))
  return {
    conversation: {
      id,
      userId: customerId,
      sellerId: demoId('shop', CHAT_SHOP),
      lastSeq: CHAT.length,
      lastAt: written.at(-1)!.createdAt,
      customerSeen: CHAT.length,
      sellerSeen: CHAT.length,
      createdAt: morningAgo(4),
    },
    messages: written,
  }
}

interface DemoNotification {
  purchase: string
  step: Step
  title: string
  message: string
  daysAgo: number
  isRead: boolean
}

const NOTIFICATIONS: DemoNotification[] = [
  {
    purchase: 'preparing',
    step: { kind: 'paid' },
    title: 'Your order is paid',
    message: 'We have received your payment for Barnaby the Bear. The shops are preparing your order.',
    daysAgo: 1,
    isRead: false,
  },
  {
    purchase: 'under-way',
    step: { kind: 'shipped', sellerOrderId: partId('under-way', 'soleway') },
    title: 'Your order is on its way',
    message: 'Soleway Cobblers has shipped Cirrus Trail.',
    daysAgo: 2,
    isRead: false,
  },
  {
    purchase: 'arrived',
    step: { kind: 'delivered', sellerOrderId: partId('arrived', 'mercato-verde') },
    title: 'Your order has arrived',
    message: 'Mercato Verde has delivered Assam Tea, Second Flush and 1 more. We hope you like it.',
    daysAgo: 10,
    isRead: true,
  },
  {
    purchase: 'refunded',
    step: { kind: 'refunded', attemptId: attemptIdOf(purchaseId('refunded')) },
    title: 'We have refunded your payment',
    message: `It was for Everyday Fountain Pen. ${REFUND_TIME}`,
    daysAgo: 37,
    isRead: true,
  },
]

/** Notifications of the customer's orders, and which of them are read. */
export function notificationRows(): {
  notifications: (typeof notifications.$inferInsert)[]
  reads: (typeof notificationReads.$inferInsert)[]
} {
  const rows = NOTIFICATIONS.map(({ purchase, step, title, message, daysAgo: days, isRead }) => ({
    isRead,
    row: {
      id: demoId('notification', purchase),
      userId: customerId,
      title,
      message,
      link: orderPath(purchaseId(purchase)),
      about: `order:${purchaseId(purchase)}:${encodeStep(step)}`,
      createdAt: morningAgo(days, 120),
    },
  }))
  const read = rows.filter(({ isRead }) => isRead)
  return {
    notifications: rows.map(({ row }) => row),
    reads: read.map(({ row }) => ({ notificationId: row.id, userId: customerId, readAt: row.createdAt })),
  }
}
