import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { productPath } from '#contract/page-urls.ts'
import { lineName, variantTitle } from '#contract/variants.ts'
import type { Db } from '../db/types.ts'
import { productAlerts, products, users, variants } from '../db/schema.ts'
import { isVisible } from '../catalogue/products.ts'
import { alertLetter } from '../mail/alert-letter.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { UnsubscribeLinks } from '../mail/unsubscribe-links.ts'
import { type MailLimits, sendWithinLimit } from '../mail/within-limit.ts'
import type { AlertMail } from '../platform/job-data.ts'

interface Options {
  db: Db
  mail: Mailer
  publicUrl: string
  unsubscribeLinks: UnsubscribeLinks
  limits: MailLimits
}

/**
 * Mails a customer with a confirmed address that the condition of an alert is met; rejects when the mail cannot be
 * sent. If it is no longer met, stores the alert again instead. Drops mails about products that are no longer for sale,
 * mails beyond the account's daily limit, and those of alerts that the customer has ended by a mailed link.
 */
export async function mailAlert(
  { db, mail, publicUrl, unsubscribeLinks, limits }: Options,
  about: AlertMail,
): Promise<void> {
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
  const letter = alertLetter({
    customerName: user.name,
    goods: lineName(product.name, variant ? { title: variantTitle(variant.options) } : {}),
    shopName: product.shopName,
    priceCents: variant?.finalCents ?? product.finalCents,
    belowCents,
    link: publicUrl + productPath(product, variantId ?? undefined),
    ...unsubscribeLinks.linksFor('alerts', userId, publicUrl),
  })
  await sendWithinLimit(limits, 'alertMail', userId, () => mail.send({ to: user.email, ...letter }))
}
