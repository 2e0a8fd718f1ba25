import { bigserial, boolean, customType, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from './columns.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** The keys that sign sessions, tokens and addresses of files, for all processes of the shop. */
export const signingKeys = pgTable('signing_keys', {
  id: id(),
  /** 64 hexadecimal digits. */
  secret: text('secret').notNull(),
  /** A key is accepted as soon as it is stored. The newest key whose `signsFrom` has passed signs. */
  signsFrom: moment('signs_from').notNull(),
  createdAt: createdAt(),
})

/**
 * Socket events that are too long for a PostgreSQL notification; the socket server deletes them after half a minute.
 */
export const socketIoAttachments = pgTable('socket_io_attachments', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  createdAt: createdAt(),
  payload: bytea('payload').notNull(),
})

/** Work that one process does for all, such as sending changes to a CDN. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  /** Chosen by the process at its start. */
  holder: text('holder').notNull(),
  /** When the lease ends; any process may acquire it then. */
  until: moment('until').notNull(),
  /** Whether the holder has unfinished work that the next holder must make up for. */
  isBehind: boolean('is_behind').notNull().default(false),
})

/** Small values that must survive a restart: exchange rates, the demo's version. */
export const facts = pgTable('facts', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})
