import { type Api, createApi, type Fetch } from '#lib/api.ts'
import { authorised, exclusivelyInBrowser } from '#lib/accounts/authorised.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { fetchWithProgress, type OnProgress } from '#lib/chat/upload.ts'
import { endSession, saveSession } from './accounts/tokens.ts'

/** Islands are also rendered where there is no address; nothing is asked there. */
const origin = globalThis.location?.origin ?? 'http://localhost'

function apiBy(fetch: Fetch): Api {
  const tokens = { read: readToken, save: saveSession, clear: endSession }
  return createApi({ fetch: authorised({ fetch, origin, tokens, exclusively: exclusivelyInBrowser }), origin })
}

/** The provider, asked in the name of whoever is signed in; tests put another `api` here. */
export const client = {
  api: apiBy(request => fetch(request)),
  /** The same for one upload, which tells its progress and can be aborted. */
  upload: (onProgress: OnProgress, signal: AbortSignal): Api =>
    apiBy(request => fetchWithProgress(request, onProgress, signal)),
}
