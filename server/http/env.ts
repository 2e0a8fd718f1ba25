import type { Upload } from '../chat/uploads/open.ts'
import type { ClientAddress } from './client-address.ts'
import type { Connection } from './connection-address.ts'
import type { Limits } from './limits.ts'

/** Whom a live session speaks for. */
export interface SignedIn {
  id: string
  name: string
  email: string
  sessionId: string
}

/** What routes and middleware know of a request. */
export interface Env {
  /** What a request comes with: a connection, or a page of this process that hears the answer. */
  Bindings: { inProcessBody?: InProcessBody; incoming?: { socket: Connection } }
  Variables: {
    requestId: string
    /** Who asks: throws the 409 refusals for a bearer that is missing, malformed, expired or ended. */
    identify: () => Promise<SignedIn>
    customer: SignedIn | undefined
    /** The client's address; only a request of our own has none. */
    ip: ClientAddress
    limits: Limits
    /** Where pages of another site find pictures; undefined for the shop's own, whose addresses stay relative. */
    mediaOrigin: string | undefined
    /** The form that came in, where a call takes files. */
    upload: Upload | undefined
  }
}

/** The answer to a page of this process, in our names. */
export interface InProcessBody {
  answer?: unknown
}
