import { endAlertsPath } from '#contract/page-urls.ts'
import { openExpiringSignatures } from '../platform/expiring-signatures.ts'
import type { Secrets } from '../platform/secrets.ts'

/** What customers can end by a mailed link; also the purposes of the signatures. */
const MAILINGS = ['alerts', 'reviews'] as const
export type Mailing = (typeof MAILINGS)[number]

/** Below `/api`. */
export const UNSUBSCRIBE_PATH = '/end-alerts'
const LINK_SECONDS = 180 * 24 * 3600

export type UnsubscribeLinks = ReturnType<typeof openUnsubscribeLinks>

/** The links that end a customer's mailings. Their tokens are signed, not stored, and may be used several times. */
export function openUnsubscribeLinks({
  secrets,
  now = Date.now,
}: {
  secrets: Secrets
  now?: (() => number) | undefined
}) {
  const signaturesOf = (purpose: Mailing) => openExpiringSignatures({ secrets, purpose, now })
  const signatures = { alerts: signaturesOf('alerts'), reviews: signaturesOf('reviews') }

  function tokenFor(mailing: Mailing, userId: string): string {
    const { seconds, queryOf } = signatures[mailing]
    const query = new URLSearchParams(queryOf(userId, seconds() + LINK_SECONDS))
    return [userId, query.get('expires'), query.get('signature')].join('.')
  }

  return {
    tokenFor,

    /** The page that ends the mailing, and the address for `List-Unsubscribe`. */
    linksFor(mailing: Mailing, userId: string, publicUrl: string): { endLink: string; unsubscribeUrl: string } {
      const token = tokenFor(mailing, userId)
      return {
        endLink: publicUrl + endAlertsPath(token),
        unsubscribeUrl: `${publicUrl}/api${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`,
      }
    },

    /** The mailing and customer of a token; null if it is not ours or has expired. */
    readToken(token: string): { mailing: Mailing; userId: string } | null {
      const [userId = '', expires = '', signature = ''] = token.split('.')
      const isSigned = (mailing: Mailing) => signatures[mailing].secondsLeft({ id: userId, expires, signature }) > 0
      const mailing = MAILINGS.find(isSigned)
      return mailing ? { mailing, userId } : null
    },
  }
}
