import { openExpiringSignatures } from '../platform/expiring-signatures.ts'
import type { Secrets } from '../platform/secrets.ts'

export const FILES_PATH = '/media/files'

const WINDOW_SECONDS = 3600

/**
 * Signs and checks the URLs of files. Anybody who has a URL can read the file until it expires, one to two hours later.
 * Within one hour a file has the same URL, so that browsers cache it.
 */
export function createAddresses({ secrets, now = Date.now }: { secrets: Secrets; now?: () => number }) {
  const { seconds, queryOf, secondsLeft } = openExpiringSignatures({ secrets, purpose: 'files', now })

  return {
    /** A path of the shop with a query. */
    addressOf({ id, originalName }: { id: string; originalName: string }): string {
      const expires = (Math.floor(seconds() / WINDOW_SECONDS) + 2) * WINDOW_SECONDS
      return `${FILES_PATH}/${id}/${encodeURIComponent(originalName)}?${queryOf(id, expires)}`
    },

    secondsLeft,
  }
}
