import { createApi } from '#lib/api.ts'
import { authorised, exclusivelyInBrowser } from '#lib/authorised.ts'
import { readToken } from '#lib/storage.ts'
import { endSession, saveSession } from './tokens.ts'

/** Islands are also rendered where there is no address; nothing is asked there. */
const origin = globalThis.location?.origin ?? 'http://localhost'

const fetchAuthorised = authorised({
  fetch: request => fetch(request),
  origin,
  tokens: { read: readToken, save: saveSession, clear: endSession },
  exclusively: exclusivelyInBrowser,
})

/** The provider, asked in the name of whoever is signed in; tests put another `api` here. */
export const client = { api: createApi({ fetch: fetchAuthorised, origin }) }
