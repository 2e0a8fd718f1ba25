import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database, Db } from '../db/types.ts'
import { readProcessEvent, notifyProcesses } from '../db/process-events.ts'
import { sellers } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit } from '../platform/audit.ts'
import { NotFoundError } from '../platform/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { openJwt } from './jwt.ts'
import { invalidToken, noToken, tokenExpired } from './tokens.ts'

export interface SellerTokens {
  /** Issues a bearer for a shop. Throws a `NotFoundError` for an unknown id. */
  issue(sellerId: string): Promise<{ id: string; token: string; shopName: string }>
  /** The shop that a bearer belongs to. Throws the errors of tokens.ts. */
  identify(token: string): Promise<{ id: string; shopName: string }>
  /** Revokes all bearers of a shop. Throws a `NotFoundError` for an unknown id. */
  revoke(sellerId: string): Promise<{ shopName: string }>
  /** Calls `listener` with the id of each shop whose bearers are revoked, in any process. */
  onRevoke(listener: (sellerId: string) => void): void
}

interface Options {
  db: Db
  /** Reports the revocations of other processes; without it, `onRevoke` covers only this process. */
  onChange?: Database['onChange']
  secrets: Secrets
  now?: () => number
}

const AUDIENCE = 'seller'
const TOKEN_SECONDS = 90 * 24 * 3600

const noSeller = () => new NotFoundError('There is no such shop')

/** Bearers of shops, valid for 90 days. They give access to the seller's side of the chat only. */
export function openSellerTokens({ db, onChange, secrets, now = Date.now }: Options): SellerTokens {
  const jwt = openJwt({ secrets, purpose: 'seller-token', audience: AUDIENCE, lifetimeSeconds: TOKEN_SECONDS, now })
  const listeners: ((sellerId: string) => void)[] = []
  async function readSeller(sellerId: string) {
    const { id, shopName, tokenVersion } = sellers
    const [seller] = await db.select({ id, shopName, tokenVersion }).from(sellers).where(eq(sellers.id, sellerId))
    return seller
  }
  const announce = (sellerId: string) => listeners.forEach(listener => listener(sellerId))
  onChange?.(tag => {
    const sellerId = readProcessEvent(tag, 'seller-tokens')
    if (sellerId !== null) announce(sellerId)
  }).catch(() => undefined)

  return {
    async issue(sellerId) {
      const found = await readSeller(sellerId)
      if (!found) throw noSeller()
      const { id, shopName, tokenVersion } = found
      const token = await jwt.sign(id, randomUUID(), { version: tokenVersion })
      await recordAudit(db, { event: 'seller_token', outcome: 'ok', details: { sellerId: id } })
      return { id, token, shopName }
    },

    async identify(token) {
      if (token === '') throw noToken()
      const found = await jwt.read(token)
      if (!found) throw invalidToken()
      if (found.isExpired) throw tokenExpired()
      const { sub = '', version } = found.claims
      const seller = await readSeller(sub)
      if (!seller || seller.tokenVersion !== version) throw invalidToken()
      return { id: seller.id, shopName: seller.shopName }
    },

    async revoke(sellerId) {
      const shopName = await transact(db, async tx => {
        const [seller] = await tx
          .update(sellers)
          .set({ tokenVersion: sql`${sellers.tokenVersion} + 1` })
          .where(eq(sellers.id, sellerId))
          .returning({ shopName: sellers.shopName })
        if (!seller) throw noSeller()
        await notifyProcesses(tx, 'seller-tokens', [sellerId])
        await recordAudit(tx, { event: 'seller_tokens_revoked', outcome: 'ok', details: { sellerId } })
        return seller.shopName
      })
      announce(sellerId)
      return { shopName }
    },

    onRevoke: listener => void listeners.push(listener),
  }
}
