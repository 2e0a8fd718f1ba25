import { Readable } from 'node:stream'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { DOWNLOAD_SECONDS } from '#contract/profile.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Db } from '../db/types.ts'
import { sessions, users } from '../db/schema.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { UnavailableError } from '../platform/errors.ts'
import { openExpiringSignatures } from '../platform/expiring-signatures.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { chatPages, messagePages } from './chat-pages.ts'
import { orderPages } from './order-pages.ts'
import { fileName, jsonOf } from './pages.ts'
import { returnPicturePages, reviewPicturePages } from './picture-pages.ts'
import * as rows from './row-pages.ts'
import { type ZipEntry, zipOf } from './zip.ts'

interface Options {
  db: Db
  uploads: Pick<Uploads, 'read'>
  secrets: Secrets
  now?: (() => number) | undefined
}

export type Downloads = ReturnType<typeof openDownloads>

/** An archive that is being written. */
interface Slot {
  userId: string
  archive: Readable
  startedAt: number
}

/** Most archives that one process writes at the same time. */
const MAX_AT_ONCE = 2
/** After this time an archive's slot is freed for another customer who wants one. */
const ASSURED_MS = 2 * 60_000
/** After this time a reader is too slow. */
const MAX_MS = 30 * 60_000

const LISTS = {
  'orders.json': orderPages,
  'reviews.json': rows.reviewPages,
  'review-marks.json': rows.reviewMarkPages,
  'wishlist.json': rows.wishlistPages,
  'alerts.json': rows.alertPages,
  'addresses.json': rows.addressPages,
  'cart.json': rows.cartPages,
  'saved-for-later.json': rows.savedLinePages,
  'chats.json': chatPages,
  'notifications.json': rows.notificationPages,
  'devices.json': rows.devicePages,
}

/** By the folder of the archive. */
const PICTURES = { 'return-pictures': returnPicturePages, 'review-pictures': reviewPicturePages }

/** Archives of what the shop stores about a customer. */
export function openDownloads({ db, uploads, secrets, now = Date.now }: Options) {
  const { seconds, queryOf, secondsLeft } = openExpiringSignatures({ secrets, purpose: 'personal-data', now })
  /** The oldest first. */
  const slots = new Set<Slot>()

  /**
   * The slot to free for a customer's new archive: their own or, if all are in use, the oldest. Undefined if one is
   * free; throws an `UnavailableError` if the oldest is too recent.
   */
  function findSlotToFree(userId: string): Slot | undefined {
    const all = [...slots]
    const own = all.find(slot => slot.userId === userId)
    if (own || all.length < MAX_AT_ONCE) return own
    const [oldest] = all
    if (oldest && now() - oldest.startedAt >= ASSURED_MS) return oldest
    throw new UnavailableError('Other customers are downloading their data. Please try again in a few minutes.')
  }

  return {
    /** Throws an `UnavailableError` while this process may not write another archive for this customer. */
    checkRoom: (userId: string): void => void findSlotToFree(userId),
    secondsLeft,

    /** Records the request, and returns the query of the session's address, valid for `DOWNLOAD_SECONDS`. */
    async request({ id, sessionId }: Pick<SignedIn, 'id' | 'sessionId'>, origin: RequestOrigin): Promise<string> {
      await recordAudit(db, { event: 'data_requested', outcome: 'ok', actorId: id, ...origin })
      return queryOf(sessionId, seconds() + DOWNLOAD_SECONDS)
    },

    /** The customer of a session, and whether its browser stores no cookies; null for a session that has ended. */
    async findSession(sessionId: string): Promise<{ userId: string; isFallback: boolean } | null> {
      const isLive = and(
        eq(sessions.id, sessionId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, new Date(now())),
        isNull(users.blockedAt),
      )
      const [session] = await db
        .select({ userId: sessions.userId, isFallback: sessions.isFallback })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(isLive)
      return session ?? null
    },

    /**
     * Records the download, and returns the ZIP archive, written while it is read: destroy it to stop. Throws like
     * `checkRoom`. An error of the database or of a file destroys it.
     */
    async open(userId: string, origin: RequestOrigin): Promise<Readable> {
      await recordAudit(db, { event: 'data_downloaded', outcome: 'ok', actorId: userId, ...origin })
      const slotToFree = findSlotToFree(userId)
      if (slotToFree) {
        slots.delete(slotToFree)
        slotToFree.archive.destroy(new Error('another download took its slot'))
      }
      const archive = zipOf(entriesOf({ db, uploads }, userId))
      const slot = { userId, archive, startedAt: now() }
      slots.add(slot)
      const timer = setTimeout(() => archive.destroy(new Error('the download took too long')), MAX_MS)
      archive.once('close', () => {
        clearTimeout(timer)
        slots.delete(slot)
      })
      return archive
    },
  }
}

async function* entriesOf({ db, uploads }: Pick<Options, 'db' | 'uploads'>, userId: string): AsyncGenerator<ZipEntry> {
  const account = JSON.stringify(await rows.readAccount(db, userId), null, 2)
  yield { name: 'account.json', content: Readable.from([Buffer.from(`${account}\n`)]), isCompressed: true }
  for (const [name, pagesOf] of Object.entries(LISTS)) {
    const content = Readable.from(jsonOf(pagesOf(db, userId)), { objectMode: false })
    yield { name, content, isCompressed: true }
  }
  for await (const page of messagePages(db, userId)) {
    const files = page.flatMap(({ message, files }) => (message.sender === 'customer' ? files : []))
    for (const file of files) {
      const content = await uploads.read(file.key)
      if (content) yield { name: `chat-files/${fileName(file)}`, content, isCompressed: false }
    }
  }
  for (const [folder, pagesOf] of Object.entries(PICTURES)) {
    for await (const page of pagesOf(db, userId)) {
      for (const picture of page) {
        const content = await uploads.read(picture.key)
        if (content) yield { name: `${folder}/${fileName(picture)}`, content, isCompressed: false }
      }
    }
  }
}
