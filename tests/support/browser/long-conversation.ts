import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { eq } from 'drizzle-orm'
import type { APIRequestContext } from 'playwright/test'
import { login } from '#contract/auth.ts'
import type { Db } from '#server/db/types.ts'
import { conversations, messages, sellers, users } from '#server/db/schema.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { openTokens } from '#server/accounts/tokens.ts'
import { newcomer } from '../accounts/customer.ts'
import type { RunningShop } from '../provider/shop.ts'
import { plantedKeys } from '../provider/shop-keys.ts'
import { XSS_TEXTS } from '../faults/xss.ts'

/** Fixed credentials, because one process registers her and others sign in. */
const TALKER = { ...newcomer('Grace Hopper'), email: 'grace@talkers.test' }
/** Number of messages before the automated ones. */
export const SPOKEN = 359
const TOKEN_MS = 10 * 60_000

/** Adds a long conversation between Grace and Toy Town. It ends with automated replies that attempt XSS. */
export async function addLongConversation(db: Db): Promise<void> {
  const { name, email, password } = TALKER
  const row = { name, email, passwordHash: await openPasswords().hash(password), emailConfirmedAt: new Date() }
  const [{ id: userId } = { id: '' }] = await db.insert(users).values(row).returning({ id: users.id })
  const [toys] = await db.select().from(sellers).where(eq(sellers.shopName, 'Toy Town'))
  const sellerId = toys!.id
  const spoken = Array.from({ length: SPOKEN }, (_, at) => ({
    sender: at % 2 ? ('seller' as const) : ('customer' as const),
    text: `Message ${at + 1}`,
  }))
  const automated = XSS_TEXTS.map(text => ({ sender: 'seller' as const, text, isAutomated: true }))
  const all = [...spoken, ...automated]
  const [conversation] = await db.insert(conversations).values({ userId, sellerId, lastSeq: all.length }).returning()
  const conversationId = conversation!.id
  await db.insert(messages).values(all.map((message, at) => ({ ...message, conversationId, seq: at + 1 })))
}

/** Signs Grace in to the browser of `request`. Returns her token and one that expires in `leftMs`. */
export async function signInTalker(
  request: APIRequestContext,
  { dataDir }: Pick<RunningShop, 'dataDir'>,
  leftMs: number,
) {
  const { email, password } = TALKER
  const answer = await request.post(`/api${login.path}`, { data: { email, password } })
  const { token } = (await answer.json()) as { token: string }
  const { id, name, sid: sessionId } = decodeJwt<{ id: string; name: string; sid: string }>(token)
  const secrets = await plantedKeys(dataDir)
  const tokens = openTokens(secrets, () => Date.now() - TOKEN_MS + leftMs)
  return { ...TALKER, token, expiring: await tokens.sign({ id, name, email, sessionId }, randomUUID()) }
}
