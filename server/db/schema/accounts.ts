import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Account } from '#contract/account.ts'
import { createdAt, id, moment } from './columns.ts'

export const users = pgTable('users', {
  id: id(),
  name: text('name').notNull(),
  /** Lower case. */
  email: text('email').notNull().unique(),
  /** argon2id in PHC form. */
  passwordHash: text('password_hash').notNull(),
  /** When the owner of the address followed a link that was mailed to it; null until then. */
  emailConfirmedAt: moment('email_confirmed_at'),
  /** Since when the customer may not sign in; null for everyone else. */
  blockedAt: moment('blocked_at'),
  country: text('country').notNull().default(''),
  currency: text('currency').notNull().default('USD'),
  /** What was never filled in is empty; null before the first time. */
  shippingDetails: jsonb('shipping_details').$type<Account['shippingDetails']>(),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: createdAt(),
})

/** One sign-in on one browser. The refresh token is never stored, only the SHA-256 of it and of its predecessor. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    refreshHash: text('refresh_hash').notNull().unique(),
    previousHash: text('previous_hash').unique(),
    rotatedAt: moment('rotated_at').notNull().defaultNow(),
    /** How often the token was exchanged; part of what its successor is derived from. */
    rotationCount: integer('rotation_count').notNull().default(0),
    /** Started in the cookie fallback, where the last bearer stands for the cookie; `fallbackTokenId` is its `jti`. */
    isFallback: boolean('is_fallback').notNull().default(false),
    fallbackTokenId: text('fallback_token_id'),
    revokedAt: moment('revoked_at'),
    /** Moves on with each exchange, but never beyond `absoluteAt`. */
    expiresAt: moment('expires_at').notNull(),
    absoluteAt: moment('absolute_at').notNull(),
    createdAt: createdAt(),
  },
  table => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** At most one live reset link for each customer. */
export const passwordResets = pgTable('password_resets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: moment('expires_at').notNull(),
})

/** At most one live confirmation link for each customer; only the SHA-256 of its token is stored. */
export const emailConfirmations = pgTable('email_confirmations', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: moment('expires_at').notNull(),
})

/** What happened to accounts and money, append-only; each row's hash covers the row before. */
export const auditEvents = pgTable('audit_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: moment('at').notNull().defaultNow(),
  event: text('event').notNull(),
  outcome: text('outcome').$type<'ok' | 'refused'>().notNull(),
  actorId: text('actor_id'),
  ip: text('ip'),
  requestId: text('request_id'),
  details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  previousHash: text('previous_hash').notNull(),
  hash: text('hash').notNull(),
})

/** One row: how long the audit's chain is and how it ends, so that its last events cannot go without a trace. */
export const auditHead = pgTable('audit_head', {
  id: integer('id').primaryKey().default(1),
  count: bigint('count', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

/** What rate-limiter-flexible counts when several processes share PostgreSQL. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: bigint('expire', { mode: 'number' }),
})
