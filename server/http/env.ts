import type { Upload } from '../chat/uploads/open.ts'
import type { ClientAddress } from './client-address.ts'
import type { Connection } from './connection-address.ts'
import type { Limits } from './limits.ts'

/** The customer of a valid session. */
export interface SignedIn {
  id: string
  name: string
  email: string
  sessionId: string
}

/** Hono's environment for routes and middleware. */
export interface Env {
  /** A request has either a connection, or, when a page of this process makes it, an object that takes the result. */
  Bindings: { inProcessBody?: InProcessBody; incoming?: { socket: Connection } }
  Variables: {
    requestId: string
    /** The customer who calls. Throws a `Refusal` (409) if the bearer is missing, malformed, expired or revoked. */
    identify: () => Promise<SignedIn>
    customer: SignedIn | undefined
    /** The client's address, or `OWN_REQUEST`. */
    ip: ClientAddress
    limits: Limits
    /** Origin of picture URLs for pages of other sites; undefined for our own pages, whose URLs stay relative. */
    mediaOrigin: string | undefined
    /** The uploaded form, for calls that accept files. */
    upload: Upload | undefined
  }
}

/** Takes the result of a call that a page of this process makes: decoded, in the contract's own names. */
export interface InProcessBody {
  answer?: unknown
}
