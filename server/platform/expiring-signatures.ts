import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from './secrets.ts'

interface Options {
  secrets: Secrets
  /** A URL signed for one purpose is not valid for another. */
  purpose: string
  now: () => number
}

/** Signs and checks URLs that expire. Times are in seconds since 1970. */
export function openExpiringSignatures({ secrets, purpose, now }: Options) {
  const seconds = () => Math.floor(now() / 1000)
  const sign = (key: Uint8Array, id: string, expires: number) =>
    createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url')

  return {
    seconds,

    /** The query string that makes a URL of `id` valid until `expires`. */
    queryOf(id: string, expires: number): string {
      const [key] = secrets.keysFor(purpose)
      return new URLSearchParams({ expires: String(expires), signature: sign(key, id, expires) }).toString()
    },

    /** Seconds until a URL expires; 0 if it has expired or the signature is wrong. */
    secondsLeft({ id, expires, signature }: { id: string; expires: string; signature: string }): number {
      if (!/^\d{1,12}$/.test(expires)) return 0
      const given = Buffer.from(signature)
      const isOurs = secrets.keysFor(purpose).some(key => {
        const ours = Buffer.from(sign(key, id, Number(expires)))
        return ours.length === given.length && timingSafeEqual(ours, given)
      })
      return isOurs ? Math.max(Number(expires) - seconds(), 0) : 0
    },
  }
}
