import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { attachments, conversations, messages, sellers } from '../db/schema.ts'
import { fileName, inPages, PAGE_ROWS } from './pages.ts'

/** A message with its files. */
interface Written {
  shop: string
  message: typeof messages.$inferSelect
  files: (typeof attachments.$inferSelect)[]
}

/** The messages of the customer's conversations, one conversation after the other; without deleted ones. */
export async function* messagePages(db: Db, userId: string): AsyncGenerator<Written[]> {
  const conversationPages = inPages(conversations.id, eq(conversations.userId, userId), () =>
    db
      .select({ id: conversations.id, shop: sellers.shopName })
      .from(conversations)
      .innerJoin(sellers, eq(sellers.id, conversations.sellerId)),
  )
  for await (const page of conversationPages) {
    for (const { id, shop } of page) yield* messagesOf(db, id, shop)
  }
}

async function* messagesOf(db: Db, conversationId: string, shop: string): AsyncGenerator<Written[]> {
  for (let after = 0; ;) {
    const page = await db
      .select()
      .from(messages)
      .where(and(eq(messages.conversationId, conversationId), gt(messages.seq, after), isNull(messages.deletedAt)))
      .orderBy(asc(messages.seq))
      .limit(PAGE_ROWS)
    if (page.length === 0) return
    after = page.at(-1)!.seq
    const ids = page.map(({ id }) => id)
    const files = await db
      .select()
      .from(attachments)
      .where(inArray(attachments.messageId, ids))
      .orderBy(asc(attachments.messageId), asc(attachments.position))
    const byMessage = Map.groupBy(files, ({ messageId }) => messageId)
    yield page.map(message => ({ shop, message, files: byMessage.get(message.id) ?? [] }))
  }
}

/** Messages as the archive shows them. `file` is a path in the archive. */
export async function* chatPages(db: Db, userId: string): AsyncGenerator<object[]> {
  for await (const page of messagePages(db, userId)) {
    yield page.map(({ shop, message, files }) => ({
      shop,
      from: message.sender === 'customer' ? 'you' : 'shop',
      sentAt: message.createdAt,
      text: message.text,
      about: message.about && { kind: message.about.kind, name: message.about.name, path: message.about.path },
      isAutomated: message.isAutomated,
      files: message.sender === 'customer' ? files.map(file => `chat-files/${fileName(file)}`) : [],
    }))
  }
}
