import { endpoints } from '#contract/index.ts'
import type { Api } from '#lib/api.ts'
import { fetchWithProgress, type OnProgress } from '#lib/chat/upload.ts'
import { createApi } from '#lib/create-api.ts'
import { withCalls, withSession } from './page-client.ts'

/** The API client of `page-client.ts` with all calls of the contract. */
export const client = Object.assign(withCalls(endpoints), {
  /** An API client for one upload, which reports progress and can be aborted. */
  upload: (onProgress: OnProgress, signal: AbortSignal): Api =>
    createApi(withSession(request => fetchWithProgress(request, onProgress, signal))),
})
