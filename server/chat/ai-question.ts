import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { wordsOf } from '#contract/chat.ts'
import type { TrainingProduct } from '#contract/training.ts'
import type { Db } from '../db/types.ts'
import { messages, orders, products, sellerOrders, sellers, users } from '../db/schema.ts'
import { selectProducts } from '../catalogue/products.ts'
import { readTrainingProducts, toTrainingProduct } from '../catalogue/training.ts'
import type { Question, HistoryMessage } from './ai/assistant.ts'
import type { Between } from './conversations.ts'

/** Number of messages at the end of a conversation that a prompt may contain. */
const MAX_MESSAGES = 20
const MAX_BYTES = 8 * 1024
const MATCHES = 5
const ORDERS = 3
/** Characters of the description of the product that a message is about. */
const SUBJECT_LENGTH = 600
const WORD = /[\p{L}\p{N}]{3,40}/gu
const MAX_WORDS = 30

/**
 * Collects what a reply to a customer's message may use: the shop's data, the conversation and the customer's own
 * orders.
 */
export async function readQuestion(
  db: Db,
  { userId, sellerId }: Between,
  message: Pick<typeof messages.$inferSelect, 'conversationId' | 'seq' | 'text' | 'about'>,
): Promise<Omit<Question, 'publicUrl'>> {
  const { shopName, products } = await readTrainingProducts(db, sellerId)
  const [seller] = await db.select({ rates: sellers.shippingRates }).from(sellers).where(eq(sellers.id, sellerId))
  const [user] = await db.select({ country: users.country }).from(users).where(eq(users.id, userId))
  const { about } = message
  const text = wordsOf(message)
  const product = about?.kind === 'product' ? await readProduct(db, sellerId, about.id) : undefined
  const matches = await findProducts(db, sellerId, product ? `${product.name} ${text}` : text)
  return {
    text,
    subject: about?.name ?? '',
    product,
    history: recent(await readHistory(db, message)),
    shopName,
    products,
    matches: product ? [product, ...matches.filter(({ _id }) => _id !== product._id)] : matches,
    shippingRates: seller?.rates ?? {},
    country: user?.country ?? '',
    orders: await readOrders(db, userId, sellerId),
  }
}

async function readHistory(
  db: Db,
  { conversationId, seq }: Pick<typeof messages.$inferSelect, 'conversationId' | 'seq'>,
): Promise<HistoryMessage[]> {
  const rows = await db
    .select({ sender: messages.sender, text: messages.text })
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), lt(messages.seq, seq), isNull(messages.deletedAt)))
    .orderBy(desc(messages.seq))
    .limit(MAX_MESSAGES)
  return rows.toReversed().map(({ sender, text }) => ({ by: sender === 'customer' ? 'customer' : 'shop', text }))
}

/** The end of a conversation, oldest first: the newest messages that fit into 8 kB. */
export function recent(messages: HistoryMessage[]): HistoryMessage[] {
  const last = messages.filter(({ text }) => text !== '').slice(-MAX_MESSAGES)
  let bytes = 0
  const isFull = ({ text }: HistoryMessage) => (bytes += Buffer.byteLength(text)) > MAX_BYTES
  const before = last.findLastIndex(isFull)
  return last.slice(before + 1)
}

/** The shop's products that contain words of the message, best matches first. */
async function findProducts(db: Db, sellerId: string, text: string): Promise<TrainingProduct[]> {
  const words = [...new Set(text.toLowerCase().match(WORD))].slice(0, MAX_WORDS)
  if (words.length === 0) return []
  const any = sql.join(
    words.map(word => sql`plainto_tsquery('english', ${word})`),
    sql` || `,
  )
  // A word must occur in the name, brand or category: descriptions contain all kinds of words.
  const isMatch = sql`${products.search} @@ (${any}) and ts_filter(${products.search}, '{a,b}') @@ (${any})`
  const rank = sql`ts_rank('{0.1, 0, 0.4, 1}', ${products.search}, ${any})`
  const rows = await selectProducts(db, {
    where: and(eq(products.sellerId, sellerId), isMatch),
    order: [sql`${rank} desc`, products.id],
    limit: MATCHES,
  })
  return rows.map(row => toTrainingProduct(row))
}

async function readProduct(db: Db, sellerId: string, id: string): Promise<TrainingProduct | undefined> {
  const where = and(eq(products.id, id), eq(products.sellerId, sellerId))
  const [row] = await selectProducts(db, { where, order: [products.id], limit: 1 })
  return row && toTrainingProduct(row, SUBJECT_LENGTH)
}

async function readOrders(db: Db, userId: string, sellerId: string): Promise<Question['orders']> {
  return db
    .select({
      id: orders.id,
      date: orders.createdAt,
      deliveryStatus: sellerOrders.deliveryStatus,
      priceCents: sellerOrders.priceCents,
    })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .where(and(eq(orders.userId, userId), eq(sellerOrders.sellerId, sellerId)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(ORDERS)
}
