import type { Api, Fetch } from '#lib/api.ts'
import { createApi } from '#lib/create-api.ts'

/** A client of the shop at `origin`, with the token of a customer if there is one. */
export function apiAt(origin: string, token = '', send: Fetch = request => fetch(request)): Api {
  return createApi({
    origin,
    fetch(request) {
      if (token) request.headers.set('authorization', `Bearer ${token}`)
      return send(request)
    },
  })
}
