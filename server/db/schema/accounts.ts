import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Account } from '#contract/account.ts'
import { belongsTo, createdAt, id, moment } from './columns.ts'

export const users = pgTable('users', {
  id: id(),
  name: text('name').notNull(),
  /** Lower case. */
  email: text('email').notNull().unique(),
  /** argon2id in PHC form. */
  passwordHash: text('password_hash').notNull(),
  /** When the customer opened a confirmation link mailed to this address; null until then. */
  emailConfirmedAt: moment('email_confirmed_at'),
  /** When the customer was blocked from signing in; null if not blocked. */
  blockedAt: moment('blocked_at'),
  /** The earliest time at which the account is erased; null unless the customer has asked for its deletion. */
  eraseAt: moment('erase_at'),
  /** When the customer ended all alerts by a mailed link; null if never. */
  alertsEndedAt: moment('alerts_ended_at'),
  /** When the customer ended requests for reviews by a mailed link; null if never. */
  reviewRequestsEndedAt: moment('review_requests_ended_at'),
  country: text('country').notNull().default(''),
  currency: text('currency').notNull().default('USD'),
  /** Fields that were never filled in are empty; null until first saved. */
  shippingDetails: jsonb('shipping_details').$type<Account['shippingDetails']>(),
  /** The customer's name for that address, the default one; may be empty. */
  shippingLabel: text('shipping_label').notNull().default(''),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: createdAt(),
})

/** The customer's addresses except the default one, which is `users.shippingDetails`. */
export const addresses = pgTable(
  'addresses',
  {
    id: id(),
    userId: belongsTo('user_id', () => users.id),
    label: text('label').notNull(),
    details: jsonb('details').$type<Account['shippingDetails']>().notNull(),
    createdAt: createdAt(),
  },
  table => [index('addresses_user').on(table.userId)],
)

/** One sign-in in one browser. Stores only the SHA-256 of the refresh token and of its predecessor. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: belongsTo('user_id', () => users.id),
    refreshHash: text('refresh_hash').notNull().unique(),
    previousHash: text('previous_hash').unique(),
    rotatedAt: moment('rotated_at').notNull().defaultNow(),
    /** How often the token was exchanged; an input to the derivation of its successor. */
    rotationCount: integer('rotation_count').notNull().default(0),
    /** Started with the cookie fallback, where the last bearer replaces the cookie; `fallbackTokenId` is its `jti`. */
    isFallback: boolean('is_fallback').notNull().default(false),
    fallbackTokenId: text('fallback_token_id'),
    revokedAt: moment('revoked_at'),
    /** Extended with each exchange, but never beyond `absoluteAt`. */
    expiresAt: moment('expires_at').notNull(),
    absoluteAt: moment('absolute_at').notNull(),
    /** The browser's User-Agent at the sign-in, shortened; null for sessions older than this column. */
    userAgent: text('user_agent'),
    createdAt: createdAt(),
  },
  table => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** The key of a table with at most one row for each customer. */
const onePerCustomer = () =>
  text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' })

/** At most one valid reset link per customer. */
export const passwordResets = pgTable('password_resets', {
  userId: onePerCustomer(),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: moment('expires_at').notNull(),
})

/** At most one valid confirmation link per customer; only the SHA-256 of its token is stored. */
export const emailConfirmations = pgTable('email_confirmations', {
  userId: onePerCustomer(),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: moment('expires_at').notNull(),
})

/** An address that a customer wants to change to; at most one per customer. */
export const emailChanges = pgTable('email_changes', {
  userId: onePerCustomer(),
  /** Lower case. May belong to another account by the time it is confirmed. */
  newEmail: text('new_email').notNull(),
  /** SHA-256 of the token in the mailed link; null until the mail is sent. */
  tokenHash: text('token_hash').unique(),
  expiresAt: moment('expires_at').notNull(),
})

/** The audit of accounts and payments, append-only; each row's hash covers the previous row's hash. */
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

/** One row: the length and last hash of the audit's chain, so that deleting its last events is detected. */
export const auditHead = pgTable('audit_head', {
  id: integer('id').primaryKey().default(1),
  count: bigint('count', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

/** Counters of rate-limiter-flexible when several processes share PostgreSQL. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: bigint('expire', { mode: 'number' }),
})
