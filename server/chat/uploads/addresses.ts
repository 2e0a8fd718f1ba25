import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../platform/secrets.ts'

export const FILES_PATH = '/media/files'

const WINDOW_SECONDS = 3600

/**
 * Signs and checks the URLs of files. Anybody who has a URL can read the file until it expires, one to two hours later.
 * Within one hour a file has the same URL, so that browsers cache it.
 */
export function createAddresses({ secrets, now = Date.now }: { secrets: Secrets; now?: () => number }) {
  const seconds = () => Math.floor(now() / 1000)
  const sign = (key: Uint8Array, id: string, expires: number) =>
    createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url')

  return {
    /** A path of the shop with a query. */
    addressOf({ id, originalName }: { id: string; originalName: string }): string {
      const expires = (Math.floor(seconds() / WINDOW_SECONDS) + 2) * WINDOW_SECONDS
      const [key] = secrets.keysFor('files')
      const query = new URLSearchParams({ expires: String(expires), signature: sign(key, id, expires) })
      return `${FILES_PATH}/${id}/${encodeURIComponent(originalName)}?${query.toString()}`
    },

    /** Seconds until a URL expires; 0 if it has expired or the signature is wrong. */
    secondsLeft({ id, expires, signature }: { id: string; expires: string; signature: string }): number {
      if (!/^\d{1,12}$/.test(expires)) return 0
      const given = Buffer.from(signature)
      const isOurs = secrets.keysFor('files').some(key => {
        const ours = Buffer.from(sign(key, id, Number(expires)))
        return ours.length === given.length && timingSafeEqual(ours, given)
      })
      return isOurs ? Math.max(Number(expires) - seconds(), 0) : 0
    },
  }
}
