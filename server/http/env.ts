import type { IncomingHttpHeaders } from 'node:http'
import type { SignedIn } from '../platform/signed-in.ts'
import type { ClientAddress } from './client-address.ts'
import type { Connection } from './connection-address.ts'
import type { Limits } from './limits.ts'

/** Hono's environment for routes and middleware. */
export interface Env {
  /** `incoming` is the client's connection; a request of this process has `inProcessBody` instead. */
  Bindings: { inProcessBody?: InProcessBody; incoming?: { socket: Connection; headers?: IncomingHttpHeaders } }
  Variables: {
    requestId: string
    /** The customer who calls. Throws a `ServiceError` if the bearer is missing, malformed, expired or revoked. */
    identify: () => Promise<SignedIn>
    customer: SignedIn | undefined
    /** The client's address, or `OWN_REQUEST`. */
    ip: ClientAddress
    limits: Limits
    /** Origin of picture URLs for pages of other sites; undefined for our own pages, whose URLs stay relative. */
    mediaOrigin: string | undefined
  }
}

/** Receives the result of a call that a page of this process makes: decoded, with the contract's own names. */
export interface InProcessBody {
  answer?: unknown
}
