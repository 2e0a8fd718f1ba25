import * as z from 'zod/mini'
import { endpoint, NoInput } from './endpoint.ts'
import { Done } from './wire.ts'

/**
 * `token` is the bearer token, valid for some minutes. If both flags are true, the client also stores it under
 * `authToken`: `isSafari` is true in Safari, `cookieFallback` when the API is on another site and the browser drops its
 * cookies.
 */
export const Session = z.object({ token: z.string(), isSafari: z.boolean(), cookieFallback: z.boolean() })
export type Session = z.output<typeof Session>

/** Authenticates with the refresh cookie or, in the cookie fallback, with the last bearer token. */
export const refreshToken = endpoint({
  method: 'POST',
  path: '/customer/refresh-token',
  input: NoInput,
  output: Session,
})

export const logout = endpoint({
  method: 'GET',
  path: '/customer/logout',
  input: NoInput,
  output: Done,
  isForCustomers: true,
  takesAnyBearer: true,
})
