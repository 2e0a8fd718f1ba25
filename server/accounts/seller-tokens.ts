import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database, Db } from '../db/types.ts'
import { readPrivateTag, tellPrivately } from '../db/private-tags.ts'
import { sellers } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit } from '../platform/audit.ts'
import type { Secrets } from '../platform/secrets.ts'
import { findSeller } from '../catalogue/files/changes.ts'
import { openJwt } from './jwt.ts'
import { invalidToken, noToken, tokenExpired } from './tokens.ts'

export interface SellerTokens {
  /** Issues a bearer for a shop, named by its key, name or id. */
  issue(shop: string): Promise<{ id: string; token: string; shopName: string }>
  /** The shop that a bearer belongs to. Throws the errors of tokens.ts. */
  identify(token: string): Promise<{ id: string; shopName: string }>
  /** Revokes all bearers of a shop. */
  revoke(shop: string): Promise<{ shopName: string }>
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

/** Bearers of shops, valid for 90 days. They give access to the seller's side of the chat only. */
export function openSellerTokens({ db, onChange, secrets, now = Date.now }: Options): SellerTokens {
  const jwt = openJwt({ secrets, purpose: 'seller-token', audience: AUDIENCE, seconds: TOKEN_SECONDS, now })
  const listeners: ((sellerId: string) => void)[] = []
  const announce = (sellerId: string) => listeners.forEach(listener => listener(sellerId))
  onChange?.(tag => {
    const sellerId = readPrivateTag(tag, 'seller-tokens')
    if (sellerId !== null) announce(sellerId)
  }).catch(() => undefined)

  return {
    async issue(shop) {
      const { id, shopName, tokenVersion } = await findSeller(db, shop)
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
      const [seller] = await db
        .select({ id: sellers.id, shopName: sellers.shopName, tokenVersion: sellers.tokenVersion })
        .from(sellers)
        .where(eq(sellers.id, sub))
      if (seller?.tokenVersion !== version || !seller) throw invalidToken()
      return { id: seller.id, shopName: seller.shopName }
    },

    async revoke(shop) {
      const { id, shopName } = await findSeller(db, shop)
      await transact(db, async tx => {
        await tx
          .update(sellers)
          .set({ tokenVersion: sql`${sellers.tokenVersion} + 1` })
          .where(eq(sellers.id, id))
        await tellPrivately(tx, 'seller-tokens', [id])
      })
      announce(id)
      return { shopName }
    },

    onRevoke: listener => void listeners.push(listener),
  }
}
