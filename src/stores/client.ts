import { type Api, createApi, type Fetch } from '#lib/api.ts'
import { authorised, exclusivelyInBrowser } from '#lib/accounts/authorised.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { fetchWithProgress, type OnProgress } from '#lib/chat/upload.ts'
import { endSession, saveSession } from './accounts/tokens.ts'

/** The server has no `location`, but makes no requests with this client either. */
const origin = globalThis.location?.origin ?? 'http://localhost'

function apiBy(fetch: Fetch): Api {
  const tokens = { read: readToken, save: saveSession, clear: endSession }
  return createApi({ fetch: authorised({ fetch, origin, tokens, exclusively: exclusivelyInBrowser }), origin })
}

/** The API client, with the session of the signed-in customer. Tests replace `api`. */
export const client = {
  api: apiBy(request => fetch(request)),
  /** An API client for one upload, which reports progress and can be aborted. */
  upload: (onProgress: OnProgress, signal: AbortSignal): Api =>
    apiBy(request => fetchWithProgress(request, onProgress, signal)),
}
