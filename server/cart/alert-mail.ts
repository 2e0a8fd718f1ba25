import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { endAlertsPath, productPath } from '#contract/page-urls.ts'
import { lineName, variantTitle } from '#contract/variants.ts'
import type { Db } from '../db/types.ts'
import { productAlerts, products, users, variants } from '../db/schema.ts'
import { isVisible } from '../catalogue/products.ts'
import { alertLetter } from '../mail/alert-letter.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type MailLimits, sendWithinLimit } from '../mail/within-limit.ts'
import { openExpiringSignatures } from '../platform/expiring-signatures.ts'
import type { AlertMail } from '../platform/job-data.ts'
import type { Secrets } from '../platform/secrets.ts'

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
  links: AlertLinks
  limits: MailLimits
}

/** Below `/api`. */
export const UNSUBSCRIBE_PATH = '/end-alerts'
const LINK_SECONDS = 180 * 24 * 3600

export type AlertLinks = ReturnType<typeof openAlertLinks>

/** The tokens of the links that end a customer's alerts. They are signed, not stored, and may be used several times. */
export function openAlertLinks({ secrets, now = Date.now }: { secrets: Secrets; now?: (() => number) | undefined }) {
  const { seconds, queryOf, secondsLeft } = openExpiringSignatures({ secrets, purpose: 'alerts', now })
  return {
    tokenFor(userId: string): string {
      const query = new URLSearchParams(queryOf(userId, seconds() + LINK_SECONDS))
      return [userId, query.get('expires'), query.get('signature')].join('.')
    },

    /** The customer of a token; null if it is not ours or has expired. */
    customerOf(token: string): string | null {
      const [id = '', expires = '', signature = ''] = token.split('.')
      return secondsLeft({ id, expires, signature }) > 0 ? id : null
    },
  }
}

/**
 * Mails a customer with a confirmed address that the condition of an alert is met; rejects when the mail cannot be
 * sent. If it is no longer met, stores the alert again instead. Drops mails about products that are no longer for sale,
 * mails beyond the account's daily limit, and those of alerts that the customer has ended by a mailed link.
 */
export async function mailAlert({ db, mail, publicUrl, links, limits }: Options, about: AlertMail): Promise<void> {
  const { dueAt, ...alert } = about
  const { userId, productId, variantId, belowCents } = alert
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt), isNull(users.blockedAt)))
  const [sold] = await db
    .select({ product: products, variant: variants })
    .from(products)
    .leftJoin(variants, eq(variants.id, variantId ?? ''))
    .where(and(eq(products.id, productId), isVisible))
  if (!user || !sold || (variantId !== null && !sold.variant)) return
  if (dueAt !== undefined && user.alertsEndedAt && dueAt <= user.alertsEndedAt.getTime()) return
  const { product, variant } = sold
  const isMet = belowCents === null ? variant?.canBeBought : product.isAvailable && product.finalCents < belowCents
  if (!isMet) {
    await db.insert(productAlerts).values(alert).onConflictDoNothing()
    return
  }
  const token = links.tokenFor(userId)
  const letter = alertLetter({
    customerName: user.name,
    goods: lineName(product.name, variant ? { title: variantTitle(variant.options) } : {}),
    shopName: product.shopName,
    priceCents: variant?.finalCents ?? product.finalCents,
    belowCents,
    link: publicUrl + productPath(product, variantId ?? undefined),
    endLink: publicUrl + endAlertsPath(token),
    unsubscribeUrl: `${publicUrl}/api${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`,
  })
  await sendWithinLimit(limits, 'alertMail', userId, () => mail.send({ to: user.email, ...letter }))
}
