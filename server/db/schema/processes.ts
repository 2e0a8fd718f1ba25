import { bigserial, customType, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from './columns.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** The keys that sign sessions, tokens and addresses of files, for all processes of the shop. */
export const signingKeys = pgTable('signing_keys', {
  id: id(),
  /** 64 hexadecimal digits. */
  secret: text('secret').notNull(),
  /** Every process accepts a key as soon as it is stored; of those whose time has come, the latest signs. */
  signsFrom: moment('signs_from').notNull(),
  createdAt: createdAt(),
})

/** Events of sockets that are too long for a notification; the socket server deletes them after half a minute. */
export const socketIoAttachments = pgTable('socket_io_attachments', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  createdAt: createdAt(),
  payload: bytea('payload').notNull(),
})
